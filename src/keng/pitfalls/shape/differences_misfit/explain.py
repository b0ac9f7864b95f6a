"""Error messages: a gradient, a difference or a covariance of numbers gets steps, ends or weights that do not fit."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("steps-of-others")
def steps_of_others(failure: Failure) -> Hits:
    yield failure.hit(
        f"spacing has {failure.groups['came']} steps: one number for all dimensions, or one for each that is named in dim="
    )


@explains("ends-of-others")
def ends_of_others(failure: Failure) -> Hits:
    dim, there, came = (failure.groups[key] for key in ("dim", "there", "came"))
    yield failure.hit(
        f"what is put before or after has {came} in dimension {dim}, and the input has {there}: they differ only where they are joined"
    )


@explains("weights-of-others")
def weights_of_others(failure: Failure) -> Hits:
    came, there = failure.groups["came"], failure.groups["there"]
    yield failure.hit(
        f"there are {came} weights for {there} observations, which are the columns: x.T where they are rows"
    )
