"""What the modules, optimizers and schedulers of torch take when they are made and when they are called.

The table next to this file is written by tools/constructors.py from the torch that it names.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

TABLE = Path(__file__).with_suffix(".names")


class Takes(NamedTuple):
    """The parameters of a class's constructor, and those of `forward`, or of `step`."""

    made: tuple[str, ...]
    called: tuple[str, ...]


def of_class(name: str) -> Takes | None:
    """What a class of torch takes, by its last name."""
    return _rows().get(name)


@cache
def _rows() -> dict[str, Takes]:
    lines = TABLE.read_text("utf-8").splitlines()[1:]
    rows = (line.split("|") for line in lines)
    return {name: Takes(tuple(made.split()), tuple(called.split())) for name, made, called in rows}
