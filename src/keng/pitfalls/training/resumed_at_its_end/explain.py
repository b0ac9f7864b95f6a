"""Error messages: a run is resumed that has made all its epochs."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("resumed-past-the-end")
def resumed_past_the_end(failure: Failure) -> Hits:
    stands, ends = failure.groups["stands"], failure.groups["ends"]
    yield failure.hit(say("checkpoint-stands-at-epoch", ends=stands, ends_2=ends))
