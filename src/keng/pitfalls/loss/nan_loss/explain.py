"""Error messages: the loss becomes NaN or infinite."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, Message, say
from keng.rules import explains


@explains("found-by-anomaly-mode")
def found_by_anomaly_mode(failure: Failure) -> Hits:
    operation = failure.groups["node"].partition("Backward")[0]
    yield failure.hit(_without_derivative(operation), operation=operation)


@explains("told-by-a-detector")
def told_by_a_detector(failure: Failure) -> Hits:
    what = failure.groups["what"]
    output = what == "A tensor"
    yield failure.hit(
        say("output-became-nan") if output else say("boxes-became-nan", what=f"`{what}`")
    )


@explains("told-by-a-matcher")
def told_by_a_matcher(failure: Failure) -> Hits:
    of_a_model = any(failure.contains(word) for word in ("matcher", "detr", "torch"))
    if of_a_model or not failure.groups["costs"]:
        yield failure.hit(say("what-model-predicts-nan"))


@explains("told-by-a-trainer")
def told_by_a_trainer(failure: Failure) -> Hits:
    lost = failure.groups.get("lost")
    yield failure.hit(say("loss-is-lost", lost=lost) if lost else say("weights-are-nan"))


def _without_derivative(operation: str) -> Message:
    """Why the derivative of an operation of the graph is NaN."""
    match operation:
        case "Sqrt" | "Rsqrt":
            return say("slope-of-root", operation=operation)
        case "Pow":
            return say("slope-of-power", operation=operation)
        case "Log" | "Log2" | "Log10":
            return say("slope-of-log", operation=operation)
        case "Div":
            return say("slope-of-division", operation=operation)
        case "Softmax" | "LogSoftmax":
            return say("slope-of-softmax", operation=operation)
        case "Acos" | "Asin":
            return say("slope-of-arc", operation=operation)
        case "Std" | "Var":
            return say("slope-of-spread", operation=operation)
        case "Exp":
            return say("slope-of-exp", operation=operation)
    return say("slope-of-other", operation=operation)
