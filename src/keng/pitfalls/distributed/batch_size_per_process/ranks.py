"""The ranks of a job: the batch of all ranks together is larger than the one that the learning rate was chosen for."""

from __future__ import annotations

from keng.model import Hits, say
from keng.ranks.reports import Ranks
from keng.rules import compares


@compares
def batches_add_up(ranks: Ranks) -> Hits:
    first = ranks.first
    if (
        not ranks.replicated
        or first is None
        or first.counts_ranks
        or not first.batches
        or not ranks.has_all
    ):
        return
    sizes = [told.batches[-1].size for told in ranks.told.values() if told.batches]
    says = say("batches-add-up", size=sizes[0], world=ranks.world, samples=sum(sizes))
    # The learning rate may have been chosen for all of them.
    yield ranks.hit(says, first.batches[-1].where, False)
