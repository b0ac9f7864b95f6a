"""Error messages: the ranks call different collectives, or not the same number of them."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("told-by-detail")
def told_by_detail(failure: Failure) -> Hits:
    told = re.findall(r"Rank (\d+) is running .{0,120}?OpType=(\w+)", failure.message)
    shapes = re.findall(r"TensorShape=(\[[\d, ]{0,60}\])", failure.message)
    if len(told) < 2:
        yield failure.hit(say("different-calls-unknown"))
        return
    (rank, op), (other, other_op) = told[:2]
    says = say("different-calls", rank=rank, op=op, other=other, other_op=other_op)
    if len({op for _, op in told}) == 1 and len(set(shapes[:2])) == 2:
        shape, other_shape = shapes[:2]
        says = say(
            "different-shapes",
            rank=rank,
            other=other,
            op=op,
            shape=shape,
            other_shape=other_shape,
        )
    yield failure.hit(says)
