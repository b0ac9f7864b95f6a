"""Which modules and names the standard library of Python gained and lost, by version.

The table next to this file is written by tools/python_history.py from the stubs of typeshed.
"""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path
from typing import NamedTuple

TABLE = Path(__file__).with_suffix(".names")


class Since(NamedTuple):
    """The versions of Python that brought and removed a name; empty where 3.6 had it, or the newest has."""

    came: str
    gone: str


def is_standard(module: str) -> bool:
    """Whether a module belongs to the standard library of any Python that keng knows."""
    top = module.partition(".")[0]
    return top in sys.stdlib_module_names or ("", top) in _rows()


def of_name(module: str, name: str) -> Since | None:
    """When a name of a module, or a submodule of it, came and went."""
    return _rows().get((module, name))


def of_module(module: str) -> Since | None:
    """The same of a module, or of the outermost package that it is in and that came or went."""
    parts = module.split(".")
    places = ((".".join(parts[:n]), part) for n, part in enumerate(parts))
    return next((_rows()[place] for place in places if place in _rows()), None)


@cache
def _rows() -> dict[tuple[str, str], Since]:
    rows = {}
    for line in TABLE.read_text("utf-8").splitlines()[1:]:
        place, came, gone, names = line.split("|")
        rows.update({(place, name): Since(came, gone) for name in names.split()})
    return rows
