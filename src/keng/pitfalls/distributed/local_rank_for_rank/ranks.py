"""The ranks of a job: `LOCAL_RANK` is used as the rank, so one process per machine acts as rank 0."""

from __future__ import annotations

from keng.model import Hits, say
from keng.ranks.calls import spoken
from keng.ranks.reports import Ranks
from keng.rules import compares


@compares
def first_of_each_machine(ranks: Ranks) -> Hits:
    for file, savers in ranks.saved():
        if ranks.firsts_of_machines == set(savers) and len(savers) > 1:
            says = say("save-one-on-each", file=spoken(savers), name=file.name)
            yield ranks.hit(says, file.where)
