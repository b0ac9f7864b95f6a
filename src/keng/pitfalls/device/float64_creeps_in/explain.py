"""Error messages: a model of float32 computes in float64."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("no-float64-on-this-device")
def no_float64_on_this_device(failure: Failure) -> Hits:
    wide = [o for o in failure.live.operands if o.dtype == "float64"]
    known = len(wide) == 1
    yield failure.hit(
        say("named-tensor-is-float64", name=wide[0].name) if known else say("tensor-is-float64")
    )
