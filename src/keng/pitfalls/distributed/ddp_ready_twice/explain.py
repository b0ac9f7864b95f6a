"""Error messages: a parameter of a DistributedDataParallel model is ready twice in one backward."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, Message, say
from keng.rules import explains

NAMED = re.compile(
    r"Parameter at index (\d+)(?: with name ([\w.]+))? has been marked as ready twice"
)


@explains("counted-twice")
def counted_twice(failure: Failure) -> Hits:
    found = NAMED.search(failure.message)
    advice = _advice(" ".join(f"{frame.path} {frame.text}" for frame in failure.frames))
    says = say("parameter-ready-twice", advice=advice)
    if found is not None:
        says = say("numbered-parameter-ready-twice", number=found[1], advice=advice)
        if found[2]:
            says = say("named-parameter-ready-twice", name=found[2], advice=advice)
    yield failure.hit(says)


def _advice(shown: str) -> Message:
    """By the paths and lines of the traceback."""
    if "transformers" in shown:
        return say("trainer-checkpoint-without-reentrance")
    if "checkpoint" in shown:
        return say("checkpoint-without-reentrance")
    return say("one-forward-for-each-backward")
