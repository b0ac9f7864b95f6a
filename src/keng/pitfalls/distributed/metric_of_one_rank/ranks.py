"""The ranks of a job: the metric that rank 0 prints is of its own share of the data."""

from __future__ import annotations

from keng.model import Hits, say
from keng.ranks.reports import Ranks
from keng.rules import compares


@compares
def metric_of_own_share(ranks: Ranks) -> Hits:
    """At the end: counts may be summed when training is over."""
    if ranks.first is None or not ranks.has_all or not ranks.first.trained:
        return
    for share in ranks.first.shares:
        every = [{each.where for each in told.shares} for told in ranks.told.values()]
        if all(share.where in each for each in every):
            says = say("metric-of-own-share", own=share.own, size=share.size, world=ranks.world)
            yield ranks.hit(says, share.where)
