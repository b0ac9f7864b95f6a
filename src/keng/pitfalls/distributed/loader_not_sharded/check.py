"""Source code: every rank works through the same batches."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import finds
from keng.source import Code


@finds
def whole_on_every_rank(code: Code) -> Hits:
    for loader in code.shuffled_whole():
        yield code.hit(loader, "every rank goes through all of the data: no sampler divides it")
