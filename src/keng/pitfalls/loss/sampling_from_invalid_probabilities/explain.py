"""Error messages: something is sampled from probabilities that are none."""

from __future__ import annotations

import ast

from keng.explain.failure import Failure
from keng.model import Fix, Hits, say
from keng.rules import explains
from keng.source import Code

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

PROBABILITIES = {
    **dict.fromkeys(("Categorical", "OneHotCategorical", "OneHotCategoricalStraightThrough"), 0),
    **dict.fromkeys(("Multinomial", "RelaxedOneHotCategorical"), 1),
}
"""Distributions that take probabilities or logits -> where the probabilities stand."""
NAN_SOURCE = "NaN comes of the data or of weights that diverged"
SPREAD = f"a deviation is below 0 or NaN: exp() or softplus() of what a layer gives; {NAN_SOURCE}"
CHANCE = f"a probability is below 0, above 1 or NaN: sigmoid() of what a layer gives; {NAN_SOURCE}"
PARAMETER = (
    "a parameter of the distribution is NaN, as of weights that diverged, or out of its range: "
    "exp() or softplus() for a deviation"
)


@explains("no-probabilities")
def no_probabilities(failure: Failure) -> Hits:
    otherwise = "the probabilities hold NaN, infinity or a negative number: the scores before the softmax have "
    otherwise += "overflowed, as in float16, or are -inf throughout, or the weights are NaN: bfloat16, and isfinite() of the scores"
    yield failure.hit(_drawn_from(failure) or otherwise)


@explains("no-parameter-of-a-distribution")
def no_parameter_of_a_distribution(failure: Failure) -> Hits:
    groups = failure.groups
    wants, values = groups.get("wants") or "positive", groups["values"]
    reason = f"is out of its range, NaN most often: {DIVERGED}"
    if "nan" in values:
        reason = f"holds NaN: {DIVERGED}"
    elif "..." not in values and wants in WANTS:
        reason = WANTS[wants]
    reason, fix = _given_scores(failure) or (reason, None)
    yield failure.hit(
        say("says-kind-reason", says=groups["name"], kind=groups["kind"], reason=reason), fix
    )


@explains("nothing-to-draw")
def nothing_to_draw(failure: Failure) -> Hits:
    otherwise = "the probabilities that are drawn from are all zero, negative or NaN: all is masked, float16 has overflowed, or the weights are NaN"
    if "sum of probabilities" in failure.message:
        otherwise = "the probabilities are all zero, or NaN: all is masked, as the others are in a batch of one, or they have underflowed: + 1e-8; or the weights are NaN"
    yield failure.hit(_drawn_from(failure) or otherwise)


@explains("outside-what-is-allowed")
def outside_what_is_allowed(failure: Failure) -> Hits:
    yield failure.hit(_out_of_range(failure.message))


def _drawn_from(failure: Failure) -> str:
    """What the one tensor of floats that multinomial was given holds in place of probabilities."""
    if len(failure.live.values) != 1:
        return ""
    [(name, looked)] = failure.live.values.items()
    if looked.nan:
        why = (
            "the scores before the softmax have overflowed or are all -inf, or the weights are NaN"
        )
        return f"`{name}` holds NaN: {why}"
    if looked.infinite:
        return f"`{name}` holds infinity: exp() or a division overflows where a softmax does not"
    if looked.rounded:
        return f"`{name}` holds numbers just below 0, as rounding leaves them: .clamp(min=0)"
    if looked.negative:
        return (
            f"`{name}` holds negative numbers and no NaN: scores take a softmax first, .softmax(-1)"
        )
    return f"a row of `{name}` is all zero: nothing can be drawn from it" if looked.empty else ""


def _given_scores(failure: Failure) -> tuple[str, Fix | None] | None:
    """Where a Categorical is given numbers below zero for probabilities."""
    looked = failure.live.values.get(failure.groups["name"])
    categorical = failure.passed_through("torch/distributions/categorical.py")
    if looked is None or not categorical or looked.nan or looked.infinite:
        return None
    if looked.rounded:
        return "holds numbers just below 0, as rounding leaves them: .clamp(min=0)", None
    if looked.negative:
        return "is given scores, with negative numbers: logits=", failure.ask_line(_as_logits)
    return ("has a row that is all zero", None) if looked.empty else None


def _as_logits(code: Code, line: int) -> Fix | None:
    """A fix that gives the one distribution of a line its last argument as logits."""
    found: list[ast.expr] = []
    for call in code.tree.on_line(line, ast.Call):
        home, _, name = code.names.resolve(call.func).rpartition(".")
        whole = not any(isinstance(each, ast.Starred) for each in call.args)
        if home.startswith("torch.distributions") and name in PROBABILITIES and whole:
            found += call.args[PROBABILITIES[name] :]
    if len(found) != 1:
        return None
    return Fix("Give them as logits", (code.edits.insert(found[0], "logits="),), "shown")


def _out_of_range(message: str) -> str:
    if "std >= 0" in message:
        return SPREAD
    return PARAMETER if "has invalid values" in message else CHANCE
