"""A running program: a mask is computed in each round of the loop and nothing reads it."""

from __future__ import annotations

from keng.model import Hits, say
from keng.rules import watches
from keng.run.facts.traced_step import TracedStep


@watches(TracedStep)
def mask_that_nothing_reads(step: TracedStep) -> Hits:
    """Of the first round, and gone by the end of the second: one that is kept may be read later."""
    for value in step.values[: step.first] if step.whole else ():
        gone = value.tensor is not None and value.tensor() is None
        if value.flags and gone and not value.used:
            yield step.hit(say("mask-unread", shape=value.shape), where=value.where)
