"""Error messages: dimensions are named twice, or in an order that cannot be."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("named-twice")
def named_twice(failure: Failure) -> Hits:
    dim = failure.groups.get("dim")
    yield failure.hit(say("dimension-named-twice", dim=dim) if dim else say("some-dimension-twice"))
