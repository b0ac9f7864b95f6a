"""Error messages: a function gets a dtype that it does not take."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("of-masks")
def of_masks(failure: Failure) -> Hits:
    yield failure.hit(say("does-not-compare-masks", op=failure.groups["op"]))
