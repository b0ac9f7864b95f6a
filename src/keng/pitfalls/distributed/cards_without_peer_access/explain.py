"""Error messages: the cards of a machine cannot read each other's memory."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("no-way-between")
def no_way_between(failure: Failure) -> Hits:
    yield failure.hit(say("these-cards-do-not"))
