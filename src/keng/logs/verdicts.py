"""What the curves of a finished log show."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise
from statistics import fmean, median

from keng._util.texts import sentence
from keng.logs.series import Log, Point, finite, latest
from keng.model import Finding, Hit, Message, Severity

FEWEST = 20
"""Points of a loss of which anything is said."""
WINDOW = 15
SPIKE = 8.0
"""Times the usual distance of a value from the median of those before it."""
LEAST_SPIKE = 1.3
"""A spike also is so many times that median."""
MOST_SPIKES = 5
FLAT = 0.01
"""A change of the loss below this share is none."""
WORSE = 1.2
"""The end of a loss that diverges is so many times its best stretch."""
NEAR = 3
FEWEST_EVALUATIONS = 4
EVALUATED = ("eval", "val", "test", "dev")
RATES = ("learning_rate", "lr", "rate")


def verdicts(log: Log) -> list[Finding]:
    """What is wrong, by the step at which it begins."""
    rate = next((points for _, points in log.named(*RATES) if len(points) > 1), [])
    found: list[Finding] = list(_resumed(log))
    for name, points in log.named("loss", without=EVALUATED):
        found += _of_loss(name, points, rate)
    for name, points in log.named("loss", "perplexity"):
        if any(part in name.lower() for part in EVALUATED):
            found += _of_evaluation(name, points)
    return found


def _finding(
    name: str, severity: Severity, says: Message, step: float, sure: bool = True
) -> Finding:
    return Finding(name, "", severity, Hit(says, sure=sure), "file", first=f"step {step:g}")


# Steps


def _resumed(log: Log) -> Iterator[Finding]:
    """Steps that were logged twice: the run went back."""
    points = max((p for _, p in log.named("loss", without=EVALUATED)), key=len, default=[])
    back = [(a.step, b.step) for a, b in pairwise(points) if b.step < a.step]
    for last, first in back[:MOST_SPIKES]:
        says = sentence("log_went_back", last=f"{last:g}", first=f"{first:g}")
        yield _finding("resumed-again", "warning" if len(back) > 1 else "hint", says, first)


# The loss of training


def _of_loss(name: str, points: list[Point], rate: list[Point]) -> Iterator[Finding]:
    lost = [point for point in points if not math.isfinite(point.value)]
    if lost:
        kind = "NaN" if math.isnan(lost[0].value) else "infinite"
        n = len(lost)
        says = sentence("log_not_finite", name=name, kind=kind, step=f"{lost[0].step:g}", n=n)
        yield _finding("nan-loss", "error", says, lost[0].step)
    kept = finite(latest(points))
    if len(kept) < FEWEST:
        return
    diverged = _diverged(name, kept, rate)
    if diverged is not None:
        yield diverged
        return
    yield from _spikes(name, kept, rate)
    yield from _plateau(name, kept, rate)


def _smooth(points: list[Point]) -> list[Point]:
    """Means of a tenth of the points each."""
    size = max(1, len(points) // 10)
    parts = [points[n : n + size] for n in range(0, len(points) - size + 1, size)]
    return [Point(part[0].step, fmean(each.value for each in part)) for part in parts]


def _diverged(name: str, points: list[Point], rate: list[Point]) -> Finding | None:
    """The loss ends well above its best stretch, and did not come back."""
    parts = _smooth(points)
    best = min(parts, key=lambda part: part.value)
    ends = parts[-1]
    if best.value <= 0 or ends.value < WORSE * best.value or parts.index(best) >= len(parts) - 2:
        return None
    rising = parts[parts.index(best) :]
    if any(b.value < a.value * (1 - FLAT) for a, b in pairwise(rising)):
        return None
    values = {"name": name, "low": f"{best.value:.4g}", "high": f"{ends.value:.4g}"}
    at = _rate_at(rate, best.step)
    says = sentence("log_diverges", **values, step=f"{best.step:g}")
    if at is not None:
        says = sentence("log_diverges_at_rate", **values, step=f"{best.step:g}", rate=f"{at:.3g}")
    return _finding("loss-diverges", "error", says, best.step)


def _spikes(name: str, points: list[Point], rate: list[Point]) -> Iterator[Finding]:
    """Single values far above those before them."""
    found: list[Point] = []
    for n in range(WINDOW, len(points)):
        before = [each.value for each in points[n - WINDOW : n]]
        middle = median(before)
        usual = median(abs(value - middle) for value in before) or abs(middle) * FLAT
        height = points[n].value
        if height > middle + SPIKE * usual and height > LEAST_SPIKE * middle > 0:
            found.append(points[n])
    apart = [p for n, p in enumerate(found) if not n or _between(points, found[n - 1], p) > NEAR]
    if not apart:
        return
    highest = max(apart, key=lambda each: each.value)
    values = {"name": name, "n": len(apart), "high": f"{highest.value:.4g}"}
    says = sentence("log_spikes", **values, steps=_steps(apart))
    at, most = _rate_at(rate, apart[0].step), max((each.value for each in rate), default=0.0)
    if at is not None and at >= 0.95 * most > 0:
        says = sentence("log_spikes_at_rate", **values, steps=_steps(apart), rate=f"{at:.3g}")
    yield _finding("loss-spikes", "warning", says, apart[0].step)


def _between(points: list[Point], one: Point, other: Point) -> int:
    return points.index(other) - points.index(one)


def _steps(points: list[Point]) -> str:
    shown = ", ".join(f"{each.step:g}" for each in points[:MOST_SPIKES])
    return f"{shown} ..." if len(points) > MOST_SPIKES else shown


def _plateau(name: str, points: list[Point], rate: list[Point]) -> Iterator[Finding]:
    """The second half brings nothing, though the first did, or nothing moves from the start."""
    parts = _smooth(points)
    half = len(parts) // 2
    first, later = parts[0].value, parts[half:]
    span = max(each.value for each in later) - min(each.value for each in later)
    if first <= 0 or span > FLAT * abs(first) or min(each.value for each in later) < FLAT * first:
        return
    start = parts[half]
    if abs(first - start.value) <= FLAT * abs(first):
        says = sentence("log_never_falls", name=name, value=f"{first:.4g}", n=len(points))
        yield _finding("loss-never-falls", "warning", says, points[0].step)
        return
    at = _rate_at(rate, start.step)
    values = {"name": name, "value": f"{start.value:.4g}", "step": f"{start.step:g}"}
    says = sentence("log_plateau", **values)
    if at is not None and at < 0.01 * max(each.value for each in rate):
        says = sentence("log_plateau_without_rate", **values, rate=f"{at:.3g}")
    yield _finding("loss-plateau", "hint", says, start.step)


def _rate_at(rate: list[Point], step: float) -> float | None:
    """The learning rate that was logged last before a step."""
    before = [each for each in rate if each.step <= step]
    return before[-1].value if before else None


# Evaluation


def _of_evaluation(name: str, points: list[Point]) -> Iterator[Finding]:
    kept = finite(latest(points))
    if len(kept) < FEWEST_EVALUATIONS:
        return
    best = min(kept, key=lambda each: each.value)
    last = kept[-1]
    values = {"name": name, "low": f"{best.value:.4g}", "high": f"{last.value:.4g}"}
    if best is kept[0] and last.value > best.value * (1 + FLAT):
        says = sentence("log_evaluation_never_improves", **values, n=len(kept))
        yield _finding("evaluation-never-improves", "error", says, best.step)
    elif last.value > best.value * (1 + 5 * FLAT) and kept.index(best) < len(kept) - NEAR:
        says = sentence("log_evaluation_rises", **values, step=f"{best.step:g}")
        yield _finding("evaluation-rises", "warning", says, best.step)
