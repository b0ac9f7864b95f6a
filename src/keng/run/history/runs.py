"""What is kept of a run over its steps: curves that take no more room however long it is."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import NamedTuple

from keng.model import Finding, Skipped
from keng.ranks.calls import Standing

MOST = 512
"""Points of a curve. At so many, two and two become one, and each point stands for twice the values."""


class Point(NamedTuple):
    """Values of neighbouring steps, the first of which is `step`."""

    step: int
    mean: float
    low: float
    high: float
    values: int = 1


@dataclass(slots=True)
class Curve:
    """One scalar over the steps. `label` tells apart curves of one name: an optimizer, a layer, a part
    of the step. `wide` is the number of values in a point, `lost` of those that were not finite."""

    name: str
    label: str = ""
    wide: int = 1
    lost: int = 0
    total: float = 0.0
    last: float = math.nan
    points: list[Point] = field(default_factory=list)
    open: Point | None = None

    def add(self, step: int, value: float) -> Point | None:
        """The point that this value makes whole, if it does."""
        if not math.isfinite(value):
            self.lost += 1
            return None
        self.total += value
        self.last = value
        now = Point(step, value, value, value)
        self.open = now if self.open is None else joined(self.open, now)
        if self.open.values < self.wide:
            return None
        whole, self.open = self.open, None
        self.points.append(whole)
        if len(self.points) == MOST:
            self._halve()
        return whole

    def drawn(self) -> list[Point]:
        """All points, the last of which may stand for fewer values."""
        return [*self.points, self.open] if self.open else list(self.points)

    def _halve(self) -> None:
        pairs = zip(self.points[::2], self.points[1::2], strict=True)
        self.points = [joined(one, other) for one, other in pairs]
        self.wide *= 2


def joined(one: Point, other: Point) -> Point:
    count = one.values + other.values
    mean = one.mean + (other.mean - one.mean) * (other.values / count)
    return Point(one.step, mean, min(one.low, other.low), max(one.high, other.high), count)


@dataclass(slots=True)
class Recorded:
    """A run as it stands. `begun` is local time; `ending` is empty while it runs; `own` the seconds that
    keng took of `seconds`; `about` the properties of the run; `standings` where each of several
    ranks stood at last."""

    program: str
    begun: str
    torch: str = ""
    steps: int = 0
    seconds: float = 0.0
    own: float = 0.0
    ending: str = ""
    about: list[tuple[str, str]] = field(default_factory=list)
    curves: dict[tuple[str, str], Curve] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    standings: tuple[Standing, ...] = ()

    def add(self, name: str, label: str, step: int, value: float) -> Point | None:
        self.steps = max(self.steps, step)
        curve = self.curves.get((name, label))
        if curve is None:
            curve = self.curves[name, label] = Curve(name, label)
        return curve.add(step, value)

    def named(self, name: str) -> list[Curve]:
        return [curve for curve in self.curves.values() if curve.name == name]
