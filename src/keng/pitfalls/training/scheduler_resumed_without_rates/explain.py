"""Error messages: a scheduler is to go on from an epoch, and the optimizer does not know its first rates."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("no-first-rate")
def no_first_rate(failure: Failure) -> Hits:
    yield failure.hit(say("optimizer-new-groups-have"))
