"""Error messages: the shapes of a distribution and of a value, or of its parts, do not fit."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("value-of-another-batch")
def value_of_another_batch(failure: Failure) -> Hits:
    value, wants = failure.groups["value"], failure.groups["wants"]
    yield failure.hit(
        f"the value is {value} and the distribution {wants}: one value for each set of parameters"
    )


@explains("value-of-another-length")
def value_of_another_length(failure: Failure) -> Hits:
    value, wants = failure.groups["value"], failure.groups["wants"]
    yield failure.hit(
        f"the value is {value}, and its last dimensions are to be the event_shape {wants}"
    )


@explains("more-than-there-are")
def more_than_there_are(failure: Failure) -> Hits:
    came, has = failure.groups["came"], failure.groups["has"]
    yield failure.hit(f"there are {has} batch dimensions, and {came} are to become the event's")


@explains("mixture-of-others")
def mixture_of_others(failure: Failure) -> Hits:
    yield failure.hit(
        f"{failure.groups['weights']} weights mix {failure.groups['parts']} parts: one weight for each, in the last dimension of both"
    )


@explains("without-a-formula")
def without_a_formula(failure: Failure) -> Hits:
    p, q = failure.groups["p"], failure.groups["q"]
    yield failure.hit(
        f"kl_divergence has no formula for {p} and {q}: both wrapped in Independent or neither, or the mean of log p - log q "
        "over samples of p"
    )


@explains("shape-of-samples")
def shape_of_samples(failure: Failure) -> Hits:
    if failure.raised_in.endswith("torch/distributions/distribution.py"):
        yield failure.hit("the shape of the samples is a tuple, of one number too: sample((3,))")
