"""Error messages: a collective works on a tensor that is still in the graph."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("without-derivative")
def without_derivative(failure: Failure) -> Hits:
    yield failure.hit(say("backward-goes-through-if", op=failure.groups["op"]))
