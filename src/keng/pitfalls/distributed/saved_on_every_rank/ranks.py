"""The ranks of a job: every rank writes the same file at once."""

from __future__ import annotations

from keng.model import Hits, say
from keng.ranks.calls import spoken
from keng.ranks.reports import Ranks
from keng.rules import compares


@compares
def several_writers(ranks: Ranks) -> Hits:
    for file, savers in ranks.saved():
        # One on each machine is another mistake.
        if len(savers) > 1 and ranks.firsts_of_machines != set(savers):
            yield ranks.hit(say("file-write-name", file=spoken(savers), name=file.name), file.where)
