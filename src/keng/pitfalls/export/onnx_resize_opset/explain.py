"""Error messages: a model that resizes is exported to an old opset of ONNX."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("other-than-interpolate")
def other_than_interpolate(failure: Failure) -> Hits:
    yield failure.hit(say("exported-resize-computes-something"))
