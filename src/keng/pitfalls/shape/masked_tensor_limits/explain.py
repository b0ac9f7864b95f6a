"""Error messages: a masked tensor is asked for what it cannot do."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("of-a-layout")
def of_a_layout(failure: Failure) -> Hits:
    op, layout = failure.groups["op"], failure.groups["layout"]
    yield failure.hit(say("torch-masked-knows-no", layout=op, layout_2=layout))


@explains("without-a-mask")
def without_a_mask(failure: Failure) -> Hits:
    op, layout = failure.groups["op"], failure.groups["layout"]
    yield failure.hit(say("what-tensor-leaves-out", op=layout, op_2=op))
