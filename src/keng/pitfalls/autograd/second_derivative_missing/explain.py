"""Error messages: a derivative is asked for that PyTorch does not have."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("has-none")
def has_none(failure: Failure) -> Hits:
    operation = failure.groups["op"]
    if "attention" in operation:
        yield failure.hit(say("attention-has-none", operation=operation))
    elif "grid_sampler" in operation:
        yield failure.hit(say("grid-sampler-has-none", operation=operation))
    else:
        yield failure.hit(say("has-no-derivative", operation=operation))


@explains("only-once")
def only_once(failure: Failure) -> Hits:
    operation = failure.groups["op"]
    old = "differentiable twice" in failure.message
    few = say("few-had-one", operation=operation)
    yield failure.hit(few if old else say("has-no-second", operation=operation))


@explains("none-in-its-place")
def none_in_its_place(failure: Failure) -> Hits:
    yield failure.hit(say("stylegan-s-own-grid", version=failure.groups["torch"].rstrip(".")))
