"""The ranks of a job: a distributed sampler gives every epoch the same order."""

from __future__ import annotations

from keng.model import Hits, say
from keng.ranks.reports import Ranks
from keng.rules import compares


@compares
def same_order_again(ranks: Ranks) -> Hits:
    for again in ranks.first.passes if ranks.first else ():
        says = say("same-order", passes=again.passes, epoch=again.epoch)
        yield ranks.hit(says, again.where)
