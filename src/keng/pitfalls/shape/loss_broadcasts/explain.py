"""Error messages: predictions and targets of different shapes are broadcast in the loss."""

from __future__ import annotations

from keng.explain.advice.inputs import counted_otherwise
from keng.explain.advice.samples import brought_to_one_shape
from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("every-pair-compared")
def every_pair_compared(failure: Failure) -> Hits:
    target, given = (failure.groups[name] for name in ("target", "input"))
    names = failure.lost_as(0, "`input`"), failure.lost_as(1, "`target`")
    cure = "give both one shape"
    if given == f"{target}, 1":
        cure = f"each meets all of the other: {names[0].strip('`')}.squeeze({given.count(',')})"
    elif target == f"{given}, 1":
        cure = f"each meets all of the other: {names[1].strip('`')}.squeeze({target.count(',')})"
    else:
        shapes = [[int(size) for size in each.split(", ") if size] for each in (target, given)]
        plain = [name.strip("`") for name in names]
        cure = (
            counted_otherwise(*shapes) or brought_to_one_shape(shapes[1], shapes[0], plain) or cure
        )
    yield failure.hit(f"{names[0]} is [{given}] and {names[1]} is [{target}]: {cure}")
