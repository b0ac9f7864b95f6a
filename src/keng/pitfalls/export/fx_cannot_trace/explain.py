"""Error messages: `torch.fx.symbolic_trace` cannot record this code."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("branches")
def branches(failure: Failure) -> Hits:
    yield failure.hit(say("or-on-tensor-or"))


@explains("goes-through")
def goes_through(failure: Failure) -> Hits:
    yield failure.hit(say("loop-over-tensor-or"))


@explains("function-of-python")
def function_of_python(failure: Failure) -> Hits:
    name = failure.groups["name"]
    yield failure.hit(say("stand-not-known-x", name=name))


@explains("compiled-before")
def compiled_before(failure: Failure) -> Hits:
    yield failure.hit(say("model-compiled-already-trace"))


@explains("more-that-are-fixed")
def more_that_are_fixed(failure: Failure) -> Hits:
    wants, got = failure.groups["wants"], failure.groups["got"]
    yield failure.hit(say("concrete-args-holds-values", wants=got, wants_2=wants))
