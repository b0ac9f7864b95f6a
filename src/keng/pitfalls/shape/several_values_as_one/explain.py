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
KINDS = (
    (r"\bis(?:finite|nan|inf)\(", say("ask-of-each-value")),
    (
        rf"\b(?:if|while|assert) (?:not )?{NAME} (?:not )?in \w|\.(?:index|remove)\(\w",
        say("list-searched-by-equality"),
    ),
    (rf"= {NAME} and {NAME} or ", say("and-or-asks-for-truth")),
    (r"(?<![\w.])(?:max|min|sorted)\(", say("python-max-compares")),
    (
        rf"{COMPARED}[^\n]{{1,80}} (?:and|or) |[<>]=? ?{NAME} ?[<>]|\bnot {NAME} ?{COMPARED}",
        say("join-masks"),
    ),
    (COMPARED, say("all-any-or-equal")),
    (
        rf"\b(?:if|while|not) {NAME}(?::| (?:and|or|else)\b)| or {NAME}$",
        say("ask-for-none-or-values"),
    ),
)
"""What to write for a condition of a kind, the first that the line shows."""
ONE_NUMBER = re.compile(r"\.item\(\)|\b(?:int|float)\((?!\))")


@explains("several-truth-values")
def several_truth_values(failure: Failure) -> Hits:
    there = failure.live.operands
    made = LOSS.search(failure.line or f"{failure.message}\n{failure.surrounding}")
    if failure.passed_through("torch/nn/_reduction.py") or (made and not failure.frames):
        yield failure.hit(say("loss-made-of", loss=made[0]) if made else say("a-loss-made-of"))
        return
    if failure.passed_through("torch/nn/modules/dropout.py") and "Dropout" in failure.line:
        yield failure.hit(say("dropout-made-of"))
        return
    if failure.groups["n"] == "no":
        yield failure.hit(say("condition-of-empty-tensor"))
        return
    advice = next((do for how, do in KINDS if re.search(how, failure.line)), say("all-or-any"))
    if len(there) == 1:
        yield failure.hit(say("condition-of-shape", shape=there[0].shape, advice=advice))
    else:
        yield failure.hit(say("condition-of-tensor", advice=advice))


@explains("several-numbers")
def several_numbers(failure: Failure) -> Hits:
    if failure.groups["n"] == "0":
        yield failure.hit(say("no-value-for-number"))
        return
    yield failure.hit(say("values-for-number", n=failure.groups["n"]))


@explains("several-in-a-list")
def several_in_a_list(failure: Failure) -> Hits:
    one = ONE_NUMBER.search(failure.line)
    yield failure.hit(say("several-for-one-number") if one else say("tensors-as-numbers"))


@explains("as-an-index")
def as_an_index(failure: Failure) -> Hits:
    if re.search(r"\b(?:torch\.(?:as_)?tensor|\w*Tensor)\(", failure.line):
        yield from several_in_a_list(failure)
        return
    yield failure.hit(say("index-of-one-integer"))
