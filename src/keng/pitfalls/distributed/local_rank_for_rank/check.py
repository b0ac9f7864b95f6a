"""Source code: the local rank is taken for the rank, so that one process on every machine does what one alone should."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import finds
from keng.source import Code


@finds
def asks_for_the_local_rank(code: Code) -> Hits:
    for save in code.saves_by_local_rank() if code.is_distributed else ():
        if code.shared_path(save):
            yield code.hit(save, "the first process of every machine saves this, not rank 0 alone")
