"""The ranks of a job: DistributedDataParallel averages the gradients of a loss that is a share of the mean."""

from __future__ import annotations

from keng.model import Hits, say
from keng.ranks.reports import Ranks
from keng.rules import compares


@compares
def loss_divided(ranks: Ranks) -> Hits:
    if ranks.replicated and ranks.first is not None and ranks.first.divided is not None:
        yield ranks.hit(say("loss-divided"), ranks.first.divided)
