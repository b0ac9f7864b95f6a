"""Error messages: a model whose way depends on its data is traced."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

GAP = re.compile(
    r"[Gg]reatest (?:absolute difference:|difference was) (?P<gap>\d{1,9}(?:\.\d{1,24})?(?:e[+-]\d{1,3})?)"
)


@explains("frozen-in-the-trace")
def frozen_in_the_trace(failure: Failure) -> Hits:
    what = failure.groups["what"]
    if what in ("Using len", "Iterating"):
        yield failure.hit(say("trace-keeps-how-many"))
        return
    yield failure.hit(say("tensor-becomes-python-here", what=what))


@explains("another-way-the-second-time")
def another_way_the_second_time(failure: Failure) -> Hits:
    yield failure.hit(_second_time(failure.message))


@explains("independent-of-the-inputs")
def independent_of_the_inputs(failure: Failure) -> Hits:
    yield failure.hit(say("output-does-not-come", nth=failure.groups["nth"]))


def _second_time(message: str) -> str:
    """Why a trace does not give what the program gives, by how they differ."""
    gap = GAP.search(message)
    if gap is not None and float(gap["gap"]) < 1e-3:
        return (
            f"the trace and the program differ by {gap['gap']} alone, as sums in another order do: "
            "harmless, and check_tolerance=1e-3 ends it"
        )
    if "nondeterministic" in message:
        return "the trace has random operations in it, as dropout: model.eval() before it"
    if "Graphs differed" in message:
        return (
            "the second run goes another way than the first: a counter or a cache that forward "
            "fills (run it once before), a random number of Python's, or a branch on data"
        )
    return (
        "the trace does not do what the program does: dropout or another random operation "
        "(model.eval()), or a branch on data"
    )
