"""Error messages: an operator has no form in Core ML."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("too-many-dimensions")
def too_many_dimensions(failure: Failure) -> Hits:
    layer, op, rank = (failure.groups[name] for name in ("layer", "op", "rank"))
    yield failure.hit(say("makes-dimensions-core-ml", rank=op, layer=layer, rank_2=rank))
