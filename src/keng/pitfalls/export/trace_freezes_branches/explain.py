"""Error messages: a model whose way depends on its data is traced."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, Message, say
from keng.rules import explains

GAP = re.compile(
    r"[Gg]reatest (?:absolute difference:|difference was) (?P<gap>\d{1,9}(?:\.\d{1,24})?(?:e[+-]\d{1,3})?)"
)


@explains("frozen-in-the-trace")
def frozen_in_the_trace(failure: Failure) -> Hits:
    what = failure.groups["what"]
    if what in ("Using len", "Iterating"):
        yield failure.hit(say("rows-frozen"))
        return
    yield failure.hit(say("number-frozen", what=what))


@explains("another-way-the-second-time")
def another_way_the_second_time(failure: Failure) -> Hits:
    yield failure.hit(_second_time(failure.message))


def _second_time(message: str) -> Message:
    """Why a trace does not give what the program gives, by how they differ."""
    gap = GAP.search(message)
    if gap is not None and float(gap["gap"]) < 1e-3:
        return say("small-difference", gap=gap["gap"])
    if "nondeterministic" in message:
        return say("random-in-trace")
    return say("graphs-differ") if "Graphs differed" in message else say("trace-differs")
