"""The ranks of a job: a checkpoint is loaded onto the device that it was saved from."""

from __future__ import annotations

from keng.model import Hits, say
from keng.ranks.calls import spoken
from keng.ranks.reports import Ranks
from keng.rules import compares


@compares
def all_to_one_card(ranks: Ranks) -> Hits:
    for device, readers in ranks.restored().items():
        strangers = [rank for rank, restored in readers.items() if restored.own != device]
        if strangers and len(readers) > 1:
            says = say(
                "read-not", readers=spoken(readers), device=device, strangers=spoken(strangers)
            )
            yield ranks.hit(says, readers[strangers[0]].where)
