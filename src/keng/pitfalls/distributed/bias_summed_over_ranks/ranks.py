"""The ranks of a job: a bias is added on each rank to its part of a sum."""

from __future__ import annotations

from keng.model import Hits, say
from keng.ranks.reports import Ranks, first_of
from keng.rules import compares


@compares
def added_on_each(ranks: Ranks) -> Hits:
    found = list(ranks.biases_summed())
    if found:
        names = first_of(each.name for each in found)
        says = say("added-on-each", names=names, world=ranks.world)
        yield ranks.hit(says, found[0].where, step=ranks.step)
