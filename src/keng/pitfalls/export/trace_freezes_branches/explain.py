"""Error messages: a model whose way depends on its data is traced."""

from __future__ import annotations

from keng.explain.advice.compiled import second_time
from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("frozen-in-the-trace")
def frozen_in_the_trace(failure: Failure) -> Hits:
    what = failure.groups["what"]
    if what in ("Using len", "Iterating"):
        yield failure.hit("the trace keeps how many rows there were: x.shape[0], or x.unbind(0)")
        return
    yield failure.hit(
        f"a tensor becomes a Python {what} here, and the trace keeps that one value: harmless where it is the same for all inputs, as a "
        "check of sizes; else torch.where, or torch.jit.script for it"
    )


@explains("another-way-the-second-time")
def another_way_the_second_time(failure: Failure) -> Hits:
    yield failure.hit(second_time(failure.message))


@explains("independent-of-the-inputs")
def independent_of_the_inputs(failure: Failure) -> Hits:
    yield failure.hit(
        f"output {failure.groups['nth']} does not come from the inputs by operations of torch: it went through NumPy or a number of Python's, or is a "
        "constant"
    )
