"""Error messages: gradients are switched off for the whole program."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("perhaps-switched-off")
def perhaps_switched_off(failure: Failure) -> Hits:
    live = failure.live.not_learning
    off = live is not None and live.grad_disabled
    yield failure.hit(say("switched-off") if off else say("perhaps-switched-off"), sure=off)
