"""Error messages: an initializer gets a tensor, or a name, that it has no rule for."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("no-gain-known")
def no_gain_known(failure: Failure) -> Hits:
    name = failure.groups["name"]
    near = "leaky_relu" if name.lower().startswith("leaky") else "relu"
    yield failure.hit(say("no-gain-known-nonlinearity", name=name, near=near))


@explains("other-dimensions")
def other_dimensions(failure: Failure) -> Hits:
    dims = failure.groups["dims"]
    more = dims == "2 or more"
    yield failure.hit(say("two-or-more-dimensions") if more else say("other-dimensions", dims=dims))
