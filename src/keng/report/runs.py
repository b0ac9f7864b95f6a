"""The page of a run: one file that needs nothing but a browser, light or dark as that is."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from keng.model import SEVERITIES, Finding
from keng.report import charts, html, rank_positions
from keng.report.charts import Chart, Mark
from keng.report.findings import place, remedy, when_first
from keng.report.frames import Reader, frame
from keng.report.rank_timeline import lanes
from keng.report.words import Words
from keng.run.history.runs import Curve, Recorded

MEGABYTE, MILLISECOND = 1e6, 1e-3
SCALARS = (("loss", 1.0), ("evaluated", 1.0), ("rate", 1.0), ("norm", 1.0), ("memory", MEGABYTE))
"""The curves that are drawn as they are, and the unit that each is reported in."""


class Verdict(NamedTuple):
    number: int
    finding: Finding
    where: str
    when: str
    code: str
    cure: str


class Part(NamedTuple):
    """Of the time between the first and the last step of a run."""

    label: str
    share: float
    each: str


class Layer(NamedTuple):
    name: str
    path: str
    last: str
    low: str
    high: str


def page(run: Recorded, read: Reader, words: Words) -> str:
    """The HTML."""
    verdicts = verdicts_of(run, read, words)
    return html.filled(
        "run.html",
        run=run,
        words=words,
        verdicts=verdicts,
        charts=list(_charts(run, verdicts, words)),
        parts=_parts(run, words),
        outside=_outside(run, words),
        about=[(words(f"about_{name}"), value) for name, value in run.about],
        layers=_layers(run),
        ranks=lanes(run.standings, [rank_positions.says(s, words) for s in run.standings]),
        own=run.own / run.seconds if run.seconds else 0.0,
        width=charts.WIDTH,
        height=charts.HEIGHT,
        left=charts.LEFT,
        right=charts.WIDTH - charts.RIGHT,
        top=charts.TOP,
        bottom=charts.HEIGHT - charts.BOTTOM,
    )


def in_order(found: Iterable[Finding]) -> list[Finding]:
    """By severity, then by the step."""
    return sorted(found, key=lambda f: (SEVERITIES.index(f.severity), step_of(f)))


def verdicts_of(run: Recorded, read: Reader, words: Words) -> list[Verdict]:
    found = enumerate(in_order(run.findings), 1)
    return [_verdict(at, finding, read, words) for at, finding in found]


def step_of(finding: Finding) -> int:
    """The step in which it was first seen; 0 where it was before or outside the steps."""
    word = finding.first.removeprefix("step ")
    return int(word) if word.isdecimal() else 0


def _verdict(at: int, finding: Finding, read: Reader, words: Words) -> Verdict:
    where = finding.hit.where
    lines = frame(where, read, 100) if where else []
    code = "\n".join("".join(piece.text for piece in line) for line in lines)
    cure = "\n".join(
        "".join(piece.text for piece in line) for line in remedy(finding, "", read, words, 100)[1:]
    )
    where_from = place(where) if where else ""
    return Verdict(at, finding, where_from, when_first(finding, words), code, cure)


def _charts(run: Recorded, verdicts: list[Verdict], words: Words) -> Iterator[Chart]:
    drawn = [
        charts.chart(words(f"curve_{name}"), run.named(name), run.steps, unit)
        for name, unit in SCALARS
    ]
    parts = [_translated(curve, words) for curve in run.named("seconds")]
    drawn.insert(4, charts.stacked(words("curve_seconds"), parts, run.steps, MILLISECOND))
    for chart in drawn:
        if chart is not None:
            chart.marks = marks(run, verdicts)
            yield chart


def _translated(curve: Curve, words: Words) -> Curve:
    label = words(f"part_{curve.label}")
    return Curve(curve.name, label, total=curve.total, points=curve.points, open=curve.open)


def marks(run: Recorded, verdicts: list[Verdict]) -> list[Mark]:
    """The findings on the time axis of a chart."""
    across = charts.time_axis(run.steps)
    return [
        Mark(
            across(step), v.number, f"{v.finding.pitfall}: {v.finding.hit.says}", v.finding.severity
        )
        for v in verdicts
        if (step := step_of(v.finding))
    ]


def _parts(run: Recorded, words: Words) -> list[Part]:
    curves = run.named("seconds")
    whole = sum(curve.total for curve in curves) or 1.0
    steps = max(run.steps - 1, 1)  # the first one ends where the times begin
    return [
        Part(words(f"part_{c.label}"), c.total / whole, f"{c.total / steps / MILLISECOND:.3g} ms")
        for c in curves
    ]


def _outside(run: Recorded, words: Words) -> str:
    """The seconds up to the end of the first step and after the last one, as far as they are known."""
    known = {curve.label: f"{curve.total:.3g}" for curve in run.named("outside")}
    texts = (words(f"outside_{label}", seconds=known[label]) for label in known)
    return words.comma.join(texts)


def _layers(run: Recorded) -> list[Layer]:
    curves = [curve for curve in run.named("update") if curve.drawn()]
    values = [p.mean for curve in curves for p in curve.drawn() if p.mean > 0]
    if not values:
        return []
    low, high = (
        10 ** f(math.log10(v)) for f, v in ((math.floor, min(values)), (math.ceil, max(values)))
    )
    return [_layer(curve, low, high, run.steps) for curve in curves]


def _layer(curve: Curve, low: float, high: float, steps: int) -> Layer:
    points = curve.drawn()
    told: list[Any] = [curve.last, min(p.low for p in points), max(p.high for p in points)]
    return Layer(curve.label, charts.sparkline(curve, low, high, steps), *map(charts.number, told))
