"""Errors as people reported them: `benchmarks/explain_reports.py` prints the whole table."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from keng.explain.engine import explain_text

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

DATA = Path(__file__).parent / "data"


def read(path: Path) -> list[dict[str, Any]]:
    return tomllib.loads(path.read_text("utf-8"))["report"]


TWO = read(DATA / "reports.toml")
SETS = {"A": TWO[0::2], "B": TWO[1::2]}
SETS |= {
    path.stem.partition("_")[2].upper(): read(path) for path in sorted(DATA.glob("reports_*.toml"))
}
LEAST = {"X": 0.7, "Y": 0.4, "20": 0.85, "21": 0.85}
"""Many texts of X and Y end before the words that would tell, or are about what has no page; 20 and 21 are
small, and what is left of them is one library's own."""
REPORTS = [report for chosen in SETS.values() for report in chosen]


@pytest.mark.parametrize("name", sorted(SETS))
def test_most_causes_are_named_first(name: str) -> None:
    chosen = [report for report in SETS[name] if report["units"]]
    found = [explain_text(report["text"], source=False).diagnoses for report in chosen]
    right = sum(
        bool(named) and named[0].pitfall in report["units"]
        for report, named in zip(chosen, found, strict=True)
    )
    assert right >= LEAST.get(name, 0.9) * len(chosen)


@pytest.mark.parametrize("report", [r for r in REPORTS if not r["units"]], ids=lambda r: r["where"])
def test_no_pitfall_is_seen_in_what_is_not_pytorchs(report: dict[str, str]) -> None:
    assert not explain_text(report["text"], source=False).diagnoses
