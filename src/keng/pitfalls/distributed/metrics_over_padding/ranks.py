"""The ranks of a job: a sampler repeats samples of a loop that counts them."""

from __future__ import annotations

from keng.model import Hits, say
from keng.ranks.reports import Ranks
from keng.rules import compares


@compares
def repeated_and_counted(ranks: Ranks) -> Hits:
    if ranks.first is None or not ranks.is_complete:
        return
    for padded in ranks.first.padded:
        says = say("repeated-and-counted", size=padded.size, repeated=padded.repeated)
        yield ranks.hit(says, padded.where)
