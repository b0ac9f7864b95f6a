"""Error messages: something is sampled from probabilities that are none."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from keng.explain.failure import Failure
from keng.model import Fix, Hits, Message, say
from keng.rules import explains
from keng.source import Code

PROBABILITIES = {
    **dict.fromkeys(("Categorical", "OneHotCategorical", "OneHotCategoricalStraightThrough"), 0),
    **dict.fromkeys(("Multinomial", "RelaxedOneHotCategorical"), 1),
}
"""Distributions that take probabilities or logits -> where the probabilities stand."""


@explains("no-probabilities")
def no_probabilities(failure: Failure) -> Hits:
    yield failure.hit(_drawn_from(failure) or say("probabilities-invalid"))


@explains("no-parameter-of-a-distribution")
def no_parameter_of_a_distribution(failure: Failure) -> Hits:
    groups = failure.groups
    wants, values = groups.get("wants") or "positive", groups["values"]
    named = {"name": groups["name"], "kind": groups["kind"]}
    says, fix = _given_scores(failure, named) or (None, None)
    if says is None and "nan" in values:
        says = say("parameter-holds-nan", **named)
    elif says is None:
        constrained = _violated(wants, named) if "..." not in values else None
        says = constrained or say("parameter-out-of-range", **named)
    yield failure.hit(says, fix)


@explains("nothing-to-draw")
def nothing_to_draw(failure: Failure) -> Hits:
    zero = "sum of probabilities" in failure.message
    otherwise = say("sum-is-zero") if zero else say("nothing-to-draw")
    yield failure.hit(_drawn_from(failure) or otherwise)


@explains("outside-what-is-allowed")
def outside_what_is_allowed(failure: Failure) -> Hits:
    yield failure.hit(_out_of_range(failure.message))


def _drawn_from(failure: Failure) -> Message | None:
    """What the one tensor of floats that multinomial was given holds in place of probabilities."""
    if len(failure.live.values) != 1:
        return None
    [(name, looked)] = failure.live.values.items()
    if looked.nan:
        return say("holds-nan", name=name)
    if looked.infinite:
        return say("holds-infinity", name=name)
    if looked.rounded:
        return say("just-below-zero", name=name)
    if looked.negative:
        return say("holds-negative", name=name)
    return say("row-all-zero", name=name) if looked.empty else None


def _given_scores(failure: Failure, named: Mapping[str, str]) -> tuple[Message, Fix | None] | None:
    """Where a Categorical is given numbers below zero for probabilities."""
    looked = failure.live.values.get(failure.groups["name"])
    categorical = failure.passed_through("torch/distributions/categorical.py")
    if looked is None or not categorical or looked.nan or looked.infinite:
        return None
    if looked.rounded:
        return say("parameter-just-below-zero", **named), None
    if looked.negative:
        return say("parameter-holds-scores", **named), failure.ask_line(_as_logits)
    return (say("parameter-row-zero", **named), None) if looked.empty else None


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
    return Fix(say("give-logits"), (code.edits.insert(found[0], "logits="),), "shown")


def _out_of_range(message: str) -> Message:
    if "std >= 0" in message:
        return say("deviation-invalid")
    return say("parameter-invalid") if "has invalid values" in message else say("chance-invalid")


def _violated(constraint: str, named: Mapping[str, str]) -> Message | None:
    """What to do about a parameter without NaN that does not satisfy a constraint of torch.distributions."""
    match constraint:
        case "GreaterThan":
            return say("not-positive", **named)
        case "Simplex":
            return say("not-a-simplex", **named)
        case "PositiveDefinite":
            return say("not-positive-definite", **named)
        case "LowerCholesky":
            return say("not-lower-triangular", **named)
        case "Interval":
            return say("not-in-interval", **named)
        case "positive":
            return say("holds-zero", **named)
        case "LessThan":
            return say("not-below-other", **named)
    return None
