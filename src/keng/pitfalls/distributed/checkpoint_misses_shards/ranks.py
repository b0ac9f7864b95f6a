"""The ranks of a job: parts of sharded tensors are in no file."""

from __future__ import annotations

from keng.model import Hits, say
from keng.ranks.calls import spoken
from keng.ranks.reports import Ranks
from keng.rules import compares


@compares
def shards_in_no_file(ranks: Ranks) -> Hits:
    for file, savers in ranks.missing_shards():
        says = say(
            "shards-in-no-file",
            name=file.name,
            parts=file.parts,
            shards=file.shards,
            ranks=spoken(savers),
        )
        yield ranks.hit(says, file.where)
