"""How often the search over the pitfalls gives first what the user meant."""

from __future__ import annotations

import argparse
from pathlib import Path

from keng._util.toml import load_toml
from keng.model import Skipped
from keng.pitfalls.search import search

HOME = Path(__file__).parent.parent / "search"
SETS = ("queries-1", "queries-2")
SHOWN = 5


def ranks(name: str) -> dict[str, int]:
    """Of each query of a set the place of the first accepted pitfall, from 1; 0 where it is not found."""
    tables = load_toml(HOME / f"{name}.toml")
    assert not isinstance(tables, Skipped), tables
    return {query: _rank(query, names) for query, names in tables["queries"].items()}


def _rank(query: str, names: list[str]) -> int:
    found = [each.name for each in search(query)]
    return next((n for n, name in enumerate(found, 1) if name in names), 0)


def main(args: list[str]) -> int:
    parser = argparse.ArgumentParser("python -m evals search", description=__doc__)
    parser.add_argument("--details", action="store_true", help="list what does not come first")
    options = parser.parse_args(args)
    for name in SETS:
        found = ranks(name)
        first, shown = (sum(0 < rank <= most for rank in found.values()) for most in (1, SHOWN))
        print(f"{name}: {len(found)} queries, {first} first, {shown} among the first {SHOWN}")
        for query, rank in found.items():
            if options.details and rank != 1:
                best = ", ".join(each.name for each in search(query)[:3])
                print(f"  {rank or '-':>3}  {query}  ({best})")
    return 0
