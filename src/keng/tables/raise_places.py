"""Where errors of a pitfall were raised on recorded reports, for words that Python says to any program.

The table next to this file is written by tools/message_evidence.py.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

TABLE = Path(__file__).with_name("raise_places.names")
FEWEST = 3
"""Reports below which the places of a pitfall say nothing of the next one."""

INSTALLED = re.compile(r"(?:site|dist)-packages/(?P<inside>(?P<package>\w+)/.+)$")
OF_TORCH = re.compile(r"(?:^|/)(?P<inside>torch/.+\.py)c?$")


def home_of(path: str) -> str:
    """The file of torch, or the installed package, that a path is in: "torch/optim/adam.py", "peft"; "" of a
    program's own."""
    path = path.replace("\\", "/")
    found = INSTALLED.search(path)
    if found is not None and found["package"] != "torch":
        return found["package"]
    inside = OF_TORCH.search(path)
    return inside["inside"] if inside is not None else ""


def is_new_place(pitfall: str, path: str) -> bool:
    """Whether a library raised at a place at which no report of the pitfall was raised, though several are
    known."""
    home, places = home_of(path), places_of(pitfall)
    return bool(home) and bool(places) and home not in places


def places_of(pitfall: str) -> frozenset[str]:
    """Where its reports were raised; empty where too few are known."""
    return _places().get(pitfall, frozenset())


@cache
def _places() -> dict[str, frozenset[str]]:
    try:
        rows = TABLE.read_text("utf-8").splitlines()[1:]
    except OSError:
        return {}
    split = (row.split("|") for row in rows)
    return {pitfall: frozenset(places.split()) for pitfall, places in split}
