"""The ranks of a job: rows that one rank evaluates on are trained on by another."""

from __future__ import annotations

from keng.model import Hits, say
from keng.ranks.reports import Ranks
from keng.rules import compares


@compares
def trained_on_elsewhere(ranks: Ranks) -> Hits:
    leak = max(ranks.leaks(), key=lambda each: each.rows, default=None)
    if leak is not None and ranks.trains_together:
        says = say(
            "trained-on-elsewhere",
            evaluates=leak.evaluates,
            trains=leak.trains,
            rows=leak.rows,
            of=leak.of,
        )
        yield ranks.hit(says, leak.where)
