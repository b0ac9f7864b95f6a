"""The scalars of a log, as all readers give them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

STEP = ("step", "global_step", "_step", "trainer/global_step", "iteration", "iter", "epoch")
"""What logs call the step, the most particular first."""


class Unreadable(Exception):  # noqa: N818
    """Why a log cannot be read: a sentence."""


class Point(NamedTuple):
    step: float
    value: float


class Log(NamedTuple):
    """`scalars` by name, each in the order in which it was logged: a step that comes again was logged
    again."""

    path: str
    scalars: dict[str, list[Point]]

    def named(self, *parts: str, without: Iterable[str] = ()) -> list[tuple[str, list[Point]]]:
        """The scalars whose name has one of these words."""
        return [
            (name, points)
            for name, points in self.scalars.items()
            if any(part in name.lower() for part in parts)
            and not any(part in name.lower() for part in without)
        ]


def scalars_of(rows: Iterable[dict[str, object]]) -> dict[str, list[Point]]:
    """Rows of named values, each with a step; what is no number is left out."""
    found: dict[str, list[Point]] = {}
    for n, row in enumerate(rows):
        step = next((v for name in STEP if (v := number(row.get(name))) is not None), float(n))
        for name, value in row.items():
            read = number(value)
            if read is not None and name not in STEP:
                found.setdefault(name, []).append(Point(step, read))
    return found


def number(value: object) -> float | None:
    """Of a cell or a JSON value. NaN and infinity are numbers."""
    if isinstance(value, bool) or not isinstance(value, (int, float, str)) or value == "":
        return None
    try:
        return float(value)
    except ValueError:
        return None


def finite(points: Iterable[Point]) -> list[Point]:
    return [each for each in points if math.isfinite(each.value)]


def latest(points: Iterable[Point]) -> list[Point]:
    """By step, each with the value that was logged last: what counts of a run that went back."""
    return [Point(*each) for each in sorted({each.step: each.value for each in points}.items())]
