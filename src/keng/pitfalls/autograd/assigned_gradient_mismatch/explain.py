"""Error messages: a gradient is assigned that does not fit its tensor."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

ORDER = "it is another parameter's, as where two lists are in another order, or of before a resize: go by name"


@explains("does-not-fit")
def does_not_fit(failure: Failure) -> Hits:
    came, there = failure.groups["came"], failure.groups["there"]
    cure = (
        "p.grad = g.to(p.device)" if "device type" in failure.message else "p.grad = g.to(p.dtype)"
    )
    yield failure.hit(
        f"the gradient is {came} and its tensor {there}: {ORDER if '[' in came else cure}"
    )


@explains("another")
def another(failure: Failure) -> Hits:
    what = failure.groups["what"]
    cures = {"size": ORDER, "device": "p.grad = g.to(p.device)"}
    yield failure.hit(
        f"the gradient is of another {what} than its tensor: {cures.get(what, 'p.grad = g.to(p.dtype)')}"
    )


@explains("no-tensor")
def no_tensor(failure: Failure) -> Hits:
    yield failure.hit(say("gradient-tensor-or-none", kind=failure.groups["came"]))
