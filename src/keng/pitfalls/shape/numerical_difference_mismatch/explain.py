"""Error messages: a gradient, a difference or a covariance of numbers gets steps, ends or weights that do not fit."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("ends-of-others")
def ends_of_others(failure: Failure) -> Hits:
    dim, there, came = (failure.groups[key] for key in ("dim", "there", "came"))
    yield failure.hit(say("what-put-before-or", there=came, dim=dim, there_2=there))


@explains("weights-of-others")
def weights_of_others(failure: Failure) -> Hits:
    came, there = failure.groups["came"], failure.groups["there"]
    yield failure.hit(say("there-weights-observations-columns", there=came, there_2=there))
