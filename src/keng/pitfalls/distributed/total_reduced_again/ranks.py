"""The ranks of a job: a total that is summed over the ranks contains the sum of the time before."""

from __future__ import annotations

from keng.model import Hits, say
from keng.ranks.reports import Ranks
from keng.rules import compares


@compares
def contains_the_last_sum(ranks: Ranks) -> Hits:
    for total in ranks.totals_growing():
        says = say("sum-reduced-again", text=total.text, world=ranks.world)
        yield ranks.hit(says, total.where, times=len(total.given))
        return
