"""The ranks of a job: the DataLoader waits for a worker that gives nothing."""

from __future__ import annotations

from keng.model import Hits, say
from keng.ranks.calls import spoken
from keng.ranks.reports import Ranks
from keng.rules import compares


@compares
def others_wait_for_its_batch(ranks: Ranks) -> Hits:
    standings = ranks.stall.standings if ranks.stall else ()
    waiting = [standing.rank for standing in standings if standing.is_waiting]
    for standing in standings if waiting else ():
        if standing.loads:
            says = say("others-wait", rank=standing.rank, others=spoken(waiting))
            yield ranks.hit(says, standing.where)
