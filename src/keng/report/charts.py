"""Curves as SVG paths, with round numbers on their axes. No library: a page of a run draws six of them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import reduce
from typing import NamedTuple

from keng.run.history.runs import Curve, Point, joined

WIDTH, HEIGHT = 720.0, 220.0
LEFT, RIGHT, TOP, BOTTOM = 64.0, 12.0, 14.0, 26.0
"""Units of the drawing; the page stretches it to its own width."""
FINEST, FINEST_AREA = 180, 90
"""Points of a line, and of areas that lie one upon the other: where more are drawn the eye sees noise."""
DECADES = 2.0
"""A curve of positive values that spans more powers of ten is drawn on a logarithmic axis."""


class Tick(NamedTuple):
    at: float
    text: str


class Line(NamedTuple):
    """`band` is the area between the lowest and the highest value of each point."""

    label: str
    path: str
    band: str
    last: str


class Slice(NamedTuple):
    """A part of the time axis, and what is shown of it where the pointer is: the step and each value."""

    at: float
    wide: float
    says: str


class Mark(NamedTuple):
    """A finding on the time axis."""

    at: float
    number: int
    says: str
    severity: str


@dataclass(slots=True)
class Chart:
    title: str
    lines: list[Line] = field(default_factory=list)
    across: list[Tick] = field(default_factory=list)
    up: list[Tick] = field(default_factory=list)
    marks: list[Mark] = field(default_factory=list)
    slices: list[Slice] = field(default_factory=list)
    logarithmic: bool = False


class Scale(NamedTuple):
    """From values to places, `low` to `begin` and `high` to `end`."""

    low: float
    high: float
    begin: float
    end: float
    logarithmic: bool = False

    def __call__(self, value: float) -> float:
        low, high, value = (self._flat(x) for x in (self.low, self.high, value))
        part = (value - low) / (high - low) if high > low else 0.5
        return round(self.begin + min(max(part, 0.0), 1.0) * (self.end - self.begin), 1)

    def _flat(self, value: float) -> float:
        return math.log10(max(value, self.low)) if self.logarithmic else value


def chart(title: str, curves: Sequence[Curve], steps: int, unit: float = 1.0) -> Chart | None:
    """Nothing where there is nothing to draw. Values are divided by `unit`."""
    drawn = [(curve, _in_unit(thinned(curve.drawn(), FINEST), unit)) for curve in curves]
    drawn = [(curve, points) for curve, points in drawn if points]
    if not drawn:
        return None
    values = [v for _, points in drawn for p in points for v in (p.low, p.high)]
    logarithmic = min(values) > 0 and math.log10(max(values) / min(values)) > DECADES
    up = _scale_up(min(values), max(values), logarithmic)
    across = time_axis(steps)
    lines = [_line(curve.label, points, across, up) for curve, points in drawn]
    slices = _slices([(curve.label, points) for curve, points in drawn], across)
    return Chart(title, lines, _across(across), _up(up), slices=slices, logarithmic=logarithmic)


def stacked(title: str, curves: Sequence[Curve], steps: int, unit: float) -> Chart | None:
    """Curves that add up, one upon the other. They have a value at the same steps."""
    layers = [(c.label, _in_unit(thinned(c.drawn(), FINEST_AREA), unit)) for c in curves]
    if not layers or not layers[0][1]:
        return None
    tops = [0.0] * len(layers[0][1])
    heights = [sum(points[at].mean for _, points in layers) for at in range(len(tops))]
    up, across = _scale_up(0.0, _usual(heights), False), time_axis(steps)
    result = Chart(title, across=_across(across), up=_up(up), slices=_slices(layers, across))
    for label, points in layers:
        below, tops = tops, [top + p.mean for top, p in zip(tops, points, strict=True)]
        places = [across(p.step) for p in points]
        area = _area(places, [up(y) for y in below], [up(y) for y in tops])
        result.lines.append(Line(label, "", area, number(points[-1].mean)))
    return result


def _slices(curves: list[tuple[str, list[Point]]], across: Scale) -> list[Slice]:
    """As many as the curve with most points has, with the last value that each curve has by then."""
    steps = [p.step for p in thinned(max((points for _, points in curves), key=len), FINEST_AREA)]
    edges = [across(step) for step in steps] + [float(WIDTH - RIGHT)]
    return [
        Slice(edges[n], max(round(edges[n + 1] - edges[n], 1), 1.0), _values_at(step, curves))
        for n, step in enumerate(steps)
    ]


def _values_at(step: int, curves: list[tuple[str, list[Point]]]) -> str:
    told = [f"{step}"]
    for label, points in curves:
        known = [p for p in points if p.step <= step]
        if known:
            told.append(f"{label} {number(known[-1].mean)}".strip())
    return "\n".join(told)


def sparkline(curve: Curve, low: float, high: float, steps: int) -> str:
    """A path in a field of 160 by 24, on a logarithmic axis that all of a table share."""
    across = Scale(1, max(steps, 2), 2, 158)
    up = Scale(low, high, 22, 2, logarithmic=True)
    return _path([(across(p.step), up(p.mean)) for p in thinned(curve.drawn(), 60) if p.mean > 0])


def time_axis(steps: int) -> Scale:
    return Scale(1, max(steps, 2), LEFT, WIDTH - RIGHT)


def thinned(points: list[Point], most: int) -> list[Point]:
    """At most so many, each of which stands for as many of those given."""
    many = -(-len(points) // most)
    return [reduce(joined, points[at : at + many]) for at in range(0, len(points), many or 1)]


def _in_unit(points: Iterable[Point], unit: float) -> list[Point]:
    return [Point(p.step, p.mean / unit, p.low / unit, p.high / unit, p.values) for p in points]


def _usual(heights: list[float]) -> float:
    """The first steps, in which everything is warmed up, may be a hundred times as long as all others:
    they may go over the edge."""
    ordered = sorted(heights)
    return min(ordered[-1], 2 * ordered[len(ordered) * 9 // 10])


def _scale_up(low: float, high: float, logarithmic: bool) -> Scale:
    if logarithmic:
        low, high = 10 ** math.floor(math.log10(low)), 10 ** math.ceil(math.log10(high))
    elif high == low:
        low, high = low - (abs(low) / 2 or 1.0), high + (abs(high) / 2 or 1.0)
    return Scale(low, high, HEIGHT - BOTTOM, TOP, logarithmic)


def _line(label: str, points: list[Point], across: Scale, up: Scale) -> Line:
    places = [across(p.step) for p in points]
    spread = any(p.low < p.high for p in points)
    band = _area(places, [up(p.low) for p in points], [up(p.high) for p in points])
    path = _path([(x, up(p.mean)) for x, p in zip(places, points, strict=True)])
    return Line(label, path, band if spread else "", number(points[-1].mean))


def _path(places: list[tuple[float, float]]) -> str:
    if len(places) == 1:  # a line of no length, which its round ends make a dot
        places *= 2
    return "M" + "L".join(f"{x:g} {y:g}" for x, y in places) if places else ""


def _area(places: list[float], low: list[float], high: list[float]) -> str:
    there = list(zip(places, high, strict=True))
    back = list(zip(reversed(places), reversed(low), strict=True))
    return _path([*there, *back]) + "Z"


def _across(scale: Scale) -> list[Tick]:
    steps = sorted({max(1, round(step)) for step in rounded(1, scale.high, 6)})
    return [Tick(scale(step), _count(step)) for step in steps]


def _up(scale: Scale) -> list[Tick]:
    if not scale.logarithmic:
        return [Tick(scale(value), number(value)) for value in rounded(scale.low, scale.high, 4)]
    first, last = round(math.log10(scale.low)), round(math.log10(scale.high))
    between = range(first, last + 1, max(1, (last - first) // 4))
    return [Tick(scale(10.0**power), f"1e{power}") for power in between]


def rounded(low: float, high: float, wanted: int) -> list[float]:
    """About so many round numbers in a range: 1, 2 or 5 times a power of ten apart."""
    rough = (high - low) / wanted or 1.0
    power = 10.0 ** math.floor(math.log10(rough))
    apart = next(m * power for m in (1, 2, 5, 10) if m * power >= rough)
    first = math.ceil(low / apart - 1e-9)
    return [n * apart for n in range(first, math.floor(high / apart + 1e-9) + 1)]


def number(value: float) -> str:
    return f"{value:.3g}"


def _count(step: int) -> str:
    for size, letter in ((1_000_000, "M"), (1_000, "k")):
        if step >= size:
            return f"{step / size:g}{letter}"
    return str(step)
