"""A running program: a standard deviation over a dimension that has one value."""

from __future__ import annotations

from keng.model import Hits, say
from keng.rules import watches
from keng.run.facts.traced_step import TracedStep, Value

DEVIATIONS = frozenset("std var std_mean var_mean".split())


@watches(TracedStep)
def of_one_value(step: TracedStep) -> Hits:
    """In what a loss is computed from. A batch may have one row, the last one of a pass: that has to come twice."""
    inside = {id(value) for loss in step.losses for value in loss.behind()}
    found = [v for v in step.values if id(v) in inside and _dimension_of_one(v) is not None]
    places = [value.place for value in found]
    for value in found:
        over = _dimension_of_one(value)
        if over or places.count(value.place) > 1:
            says = say("deviation-of-one", shape=value.given[0].shape, dim=over)
            yield step.hit(says, where=value.where)
            return


def _dimension_of_one(value: Value) -> int | None:
    """The dimension of a deviation, from 0 on, if it has one value and others have several."""
    if value.by not in DEVIATIONS or len(value.given) != 1:
        return None
    shape, over = value.given[0].shape, _given_dimension(value)
    if over is None or not any(size > 1 for size in shape):
        return None
    over %= len(shape)
    return over if shape[over] == 1 else None


def _given_dimension(value: Value) -> int | None:
    """The one dimension that an operation was given."""
    match [each for each in value.arguments if each is not None]:
        case [bool(), *_]:
            return None
        case [int(over), *_] | [(int(over),), *_]:
            return over
    return None
