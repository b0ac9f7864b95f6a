"""Error messages: a computed tensor is handled as if it were a parameter."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("switched-off")
def switched_off(failure: Failure) -> Hits:
    yield failure.hit(say("result-follows-inputs-cannot"))


@explains("no-gradient-to-hook")
def no_gradient_to_hook(failure: Failure) -> Hits:
    yield failure.hit(say("tensor-takes-no-gradient"))


@explains("gradient-not-kept")
def gradient_not_kept(failure: Failure) -> Hits:
    yield failure.hit(say("gradient-result-not-kept"))


@explains("gradients-kept-of-leaves")
def gradients_kept_of_leaves(failure: Failure) -> Hits:
    yield failure.hit(say("backward-inputs-fills-grad"))
