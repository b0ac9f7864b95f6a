"""Error messages: an initializer gets a tensor, or a name, that it has no rule for."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("a-vector-has-no-fans")
def a_vector_has_no_fans(failure: Failure) -> Hits:
    yield failure.hit(say("bias-or-weight-normalization"))


@explains("no-gain-known")
def no_gain_known(failure: Failure) -> Hits:
    name = failure.groups["name"]
    near = "leaky_relu" if name.lower().startswith("leaky") else "relu"
    yield failure.hit(say("no-gain-known-nonlinearity", name=name, near=near))


@explains("slope-that-is-no-number")
def slope_that_is_no_number(failure: Failure) -> Hits:
    yield failure.hit(say("slope-leaky-relu-number", name=failure.groups["name"]))


@explains("no-such-mode")
def no_such_mode(failure: Failure) -> Hits:
    yield failure.hit(say("mode-fan-or-fan", name=failure.groups["name"]))


@explains("other-dimensions")
def other_dimensions(failure: Failure) -> Hits:
    dims = failure.groups["dims"]
    more = dims == "2 or more"
    yield failure.hit(say("two-or-more-dimensions") if more else say("other-dimensions", dims=dims))
