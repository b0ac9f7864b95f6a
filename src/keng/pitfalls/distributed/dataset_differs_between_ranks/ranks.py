"""The ranks of a job: a DistributedSampler divides data sets that are not the same on all ranks."""

from __future__ import annotations

from keng.model import Hits, say
from keng.ranks.reports import Ranks
from keng.rules import compares


@compares
def contents_differ(ranks: Ranks) -> Hits:
    if any(ranks.leaks()) or any(ranks.orders_differing()):
        return  # that is said instead
    for content, name in ranks.contents_differing():
        says = say("contents-differ", name=name, size=content.size, world=ranks.world)
        yield ranks.hit(says, content.where)
        return
