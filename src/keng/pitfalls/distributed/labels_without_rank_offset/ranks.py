"""The ranks of a job: every rank chooses the candidates of the first rank."""

from __future__ import annotations

from keng.model import Hits, say
from keng.ranks.reports import Ranks
from keng.rules import compares


@compares
def first_candidates_on_each(ranks: Ranks) -> Hits:
    found = ranks.choices_alike()
    if found is not None:
        says = say("first-candidates-on-each", rows=found.rows, columns=found.rows * ranks.world)
        yield ranks.hit(says, found.where, step=ranks.step)
