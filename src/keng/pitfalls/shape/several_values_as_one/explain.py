"""Error messages: a tensor of several values is used where one is wanted."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

LOSS = re.compile(
    r"\b(?:nn\.)?(?:MSE|CrossEntropy|(?:Smooth)?L1|BCE(?:WithLogits)?|NLL|Huber)Loss(?=\([a-z]\w{0,30}(?:\([^()\n]{0,40}\))?, ?[a-z]\w{0,30}\))"
)

COMPARED = r"(?:[<>!=]=|[<>])"
NAME = r"[\w.\[\]]{1,60}"
ALL = ".all() or .any()"
KINDS = (
    (r"\bis(?:finite|nan|inf)\(", f"{ALL}, and .mean() first of a loss for each sample"),
    (
        rf"\b(?:if|while|assert) (?:not )?{NAME} (?:not )?in \w|\.(?:index|remove)\(\w",
        "lists are searched by ==, so any(x is each for each in them)",
    ),
    (
        rf"= {NAME} and {NAME} or ",
        "`a and b or c` asks for the truth of b: `b if a else c`",
    ),
    (
        r"(?<![\w.])(?:max|min|sorted)\(",
        "Python's max, min and sorted ask for a > b, so torch.maximum(a, b), or .item() of each",
    ),
    (
        rf"{COMPARED}[^\n]{{1,80}} (?:and|or) |[<>]=? ?{NAME} ?[<>]|\bnot {NAME} ?{COMPARED}",
        f"& and | join masks, each in parentheses, and ~ turns one round; {ALL} asks of the whole",
    ),
    (COMPARED, f"{ALL} says which is meant, or torch.equal(a, b)"),
    (
        rf"\b(?:if|while|not) {NAME}(?::| (?:and|or|else)\b)| or {NAME}$",
        f"x is not None where it may be missing, {ALL} where its values are meant",
    ),
)
ONE_NUMBER = re.compile(r"\.item\(\)|\b(?:int|float)\((?!\))")


@explains("several-truth-values")
def several_truth_values(failure: Failure) -> Hits:
    there = failure.live.operands
    made = LOSS.search(failure.line or f"{failure.message}\n{failure.surrounding}")
    if failure.passed_through("torch/nn/_reduction.py") or (made and not failure.frames):
        loss = made[0] if made else "the loss"
        yield failure.hit(say("made-tensors-options", made=loss))
        return
    if failure.passed_through("torch/nn/modules/dropout.py") and "Dropout" in failure.line:
        yield failure.hit(say("dropout-made-tensor-option"))
        return
    if failure.groups["n"] == "no":
        yield failure.hit(say("condition-made-empty-tensor"))
        return
    shape = f" of shape {there[0].shape}" if len(there) == 1 else ""
    yield failure.hit(f"a condition is made of a tensor{shape}: {_asked_of_a_tensor(failure.line)}")


@explains("several-numbers")
def several_numbers(failure: Failure) -> Hits:
    if failure.groups["n"] == "0":
        yield failure.hit(say("tensor-empty-one-number"))
        return
    yield failure.hit(say("values-where-one-number", n=failure.groups["n"]))


@explains("several-in-a-list")
def several_in_a_list(failure: Failure) -> Hits:
    yield failure.hit(_taken_for_numbers(failure.line))


@explains("as-an-index")
def as_an_index(failure: Failure) -> Hits:
    if re.search(r"\b(?:torch\.(?:as_)?tensor|\w*Tensor)\(", failure.line):
        yield from several_in_a_list(failure)
        return
    yield failure.hit(say("list-or-range-wants"))


@explains("as-a-text")
def as_a_text(failure: Failure) -> Hits:
    yield failure.hit(say("format-one-number-gets"))


def _asked_of_a_tensor(line: str) -> str:
    """What to ask in its place: by the first kind of condition that the line shows."""
    told = f"{ALL} says which is meant"
    return next((cure for pattern, cure in KINDS if re.search(pattern, line)), told)


def _taken_for_numbers(line: str) -> str:
    """What to do with several values where a number, or numbers, are wanted."""
    if ONE_NUMBER.search(line):
        says = (
            "several values where one number is wanted, as of a batch, or where the index is a list"
        )
        return f"{says}: one index, .mean(), or .tolist()"
    says = "tensors of more than one element are taken for numbers"
    return f"{says}: torch.stack joins a list of them, .tolist() gives numbers"
