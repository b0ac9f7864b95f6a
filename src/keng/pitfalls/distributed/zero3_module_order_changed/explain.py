"""Error messages: the modules run in another order than ZeRO-3 has written down."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("learned-again")
def learned_again(failure: Failure) -> Hits:
    came = failure.groups["came"]
    named = say("order-learned-again-at-module", came=came)
    yield failure.hit(named if came else say("order-learned-again"))
