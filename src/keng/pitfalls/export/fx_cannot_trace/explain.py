"""Error messages: `torch.fx` meets what it cannot record."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("branches")
def branches(failure: Failure) -> Hits:
    yield failure.hit(
        "an `if` or `while` on a tensor, or on its size, cannot be traced: torch.where, concrete_args={'flag': True} for a flag, or a leaf module"
    )


@explains("goes-through")
def goes_through(failure: Failure) -> Hits:
    yield failure.hit(
        "a loop over a tensor or its shape, or `*x` in a call, cannot be traced: each by its index, x.shape[0], or a wrapped function"
    )


@explains("function-of-python")
def function_of_python(failure: Failure) -> Hits:
    name = failure.groups["name"]
    yield failure.hit(
        f"{name}() of a stand-in is not known: x.shape, or torch.fx.wrap('{name}') at module level"
    )


@explains("compiled-before")
def compiled_before(failure: Failure) -> Hits:
    yield failure.hit(
        "the model is compiled already: trace or export it before torch.compile, or model._orig_mod"
    )


@explains("more-that-are-fixed")
def more_that_are_fixed(failure: Failure) -> Hits:
    wants, got = failure.groups["wants"], failure.groups["got"]
    yield failure.hit(
        f"concrete_args holds {got} values for {wants} arguments: a dict by name, concrete_args={{'flag': True}}"
    )
