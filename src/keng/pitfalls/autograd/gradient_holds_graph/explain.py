"""Error messages: a gradient is stored together with the graph that made it."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("ring-of-gradients")
def ring_of_gradients(failure: Failure) -> Hits:
    yield failure.hit(say("gradients-keep-their-graph"))
