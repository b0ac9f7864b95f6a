"""Error messages: a scheduler with `last_epoch` gets an optimizer without `initial_lr`."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("no-first-rate")
def no_first_rate(failure: Failure) -> Hits:
    yield failure.hit(say("optimizer-new-groups-have"))
