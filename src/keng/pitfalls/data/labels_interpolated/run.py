"""A running program: a map of labels is resized by an interpolation that mixes their numbers."""

from __future__ import annotations

from keng.model import Hits, say
from keng.rules import watches
from keng.run.facts.traced_step import TracedStep, Value

MIXING = ("bilinear", "bicubic", "trilinear", "linear", "area")
FROM_WHOLE = frozenset("float double to half type".split())
"""What makes numbers of labels, for a function that resizes no integers."""
SAME_NUMBERS = frozenset(
    "getitem squeeze unsqueeze view reshape contiguous clone permute detach".split()
)
"""Operations that leave numbers what they are."""
TO_WHOLE = frozenset("long int".split())


@watches(TracedStep)
def mixed_and_cut(step: TracedStep) -> Hits:
    """Integers become numbers, are interpolated and become integers again without being rounded or compared."""
    for value in step.values:
        mode = next((a for a in value.arguments if a in MIXING), "") if _resizes(value) else ""
        if mode and _comes_from_labels(value) and _becomes_labels(value):
            yield step.hit(say("labels-mixed", mode=mode), where=value.where)
            return


def _resizes(value: Value) -> bool:
    return value.by == "interpolate" and not value.graph and len(value.shape) > 3


def _comes_from_labels(value: Value) -> bool:
    """Whether the last thing that was done to what is resized is to make numbers of it."""
    given = value.given[0] if value.given else None
    while given is not None and given.by in SAME_NUMBERS and given.given:
        given = given.given[0]
    return given is not None and given.by in FROM_WHOLE


def _becomes_labels(value: Value) -> bool:
    waiting = list(value.used)
    while waiting:
        used = waiting.pop()
        if used.by in TO_WHOLE:
            return True
        if used.by in SAME_NUMBERS:
            waiting += used.used
    return False
