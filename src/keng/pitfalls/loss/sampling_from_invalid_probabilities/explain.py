"""Error messages: something is sampled from probabilities that are none."""

from __future__ import annotations

from keng.explain.advice.fits import drawn_from, given_scores
from keng.explain.advice.losses import out_of_range
from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains

DIVERGED = "the weights have diverged, as by a rate too high, scores are -inf throughout, or the data or the std() of one sample are NaN"


WANTS = {
    "GreaterThan": "is 0 or below: softplus or exp of what a layer gives, and a small number added",
    "Simplex": "has rows that hold negative numbers or do not add up to 1: softmax, or logits=",
    "PositiveDefinite": "is not symmetric, or not positive definite: A @ A.mT + 1e-6 * torch.eye(n), or scale_tril=",
    "LowerCholesky": "is no lower triangle with a positive diagonal: torch.linalg.cholesky of the covariance",
    "Interval": "lies outside of its two bounds, as a probability below 0 or above 1 does: sigmoid, or logits=",
    "positive": "holds 0, with which it never ends: clamp(min=1e-6), or logits=",
    "LessThan": "is not below the other bound: the smaller one first",
}


@explains("no-probabilities")
def no_probabilities(failure: Failure) -> Hits:
    otherwise = "the probabilities hold NaN, infinity or a negative number: the scores before the softmax have "
    otherwise += "overflowed, as in float16, or are -inf throughout, or the weights are NaN: bfloat16, and isfinite() of the scores"
    yield failure.hit(drawn_from(failure) or otherwise)


@explains("no-parameter-of-a-distribution")
def no_parameter_of_a_distribution(failure: Failure) -> Hits:
    groups = failure.groups
    wants, values = groups.get("wants") or "positive", groups["values"]
    reason = f"is out of its range, NaN most often: {DIVERGED}"
    if "nan" in values:
        reason = f"holds NaN: {DIVERGED}"
    elif "..." not in values and wants in WANTS:
        reason = WANTS[wants]
    reason, fix = given_scores(failure) or (reason, None)
    yield failure.hit(f"`{groups['name']}` of a {groups['kind']} {reason}", fix)


@explains("nothing-to-draw")
def nothing_to_draw(failure: Failure) -> Hits:
    otherwise = "the probabilities that are drawn from are all zero, negative or NaN: all is masked, float16 has overflowed, or the weights are NaN"
    if "sum of probabilities" in failure.message:
        otherwise = "the probabilities are all zero, or NaN: all is masked, as the others are in a batch of one, or they have underflowed: + 1e-8; or the weights are NaN"
    yield failure.hit(drawn_from(failure) or otherwise)


@explains("outside-what-is-allowed")
def outside_what_is_allowed(failure: Failure) -> Hits:
    yield failure.hit(out_of_range(failure.message))
