"""Error messages: under autocast all is computed in float32."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("turned-off")
def turned_off(failure: Failure) -> Hits:
    yield failure.hit(say("dtype-not-supported", device=failure.groups["device"]))
