"""Source code: the same seed is set again in each round of a training."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import finds
from keng.source import Code


@finds
def rounds_that_are_alike(code: Code) -> Hits:
    for call in code.seeds_in_training():
        yield code.hit(call, "each round draws the same random numbers: seed once, before the loop")
