"""Error messages: a loss gets the removed arguments `size_average` or `reduce`."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("warned")
def warned(failure: Failure) -> Hits:
    now = failure.groups["now"]
    named = say("means-reduction", reduction=now)
    yield failure.hit(say("means-default") if now == "mean" else named)
