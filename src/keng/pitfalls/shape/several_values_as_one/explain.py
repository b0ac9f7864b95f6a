"""Error messages: a tensor of several values is used where one is wanted."""

from __future__ import annotations

import re

from keng.explain.advice.conditions import asked_of_a_tensor, taken_for_numbers
from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains

LOSS = re.compile(
    r"\b(?:nn\.)?(?:MSE|CrossEntropy|(?:Smooth)?L1|BCE(?:WithLogits)?|NLL|Huber)Loss(?=\([a-z]\w{0,30}(?:\([^()\n]{0,40}\))?, ?[a-z]\w{0,30}\))"
)


@explains("several-truth-values")
def several_truth_values(failure: Failure) -> Hits:
    there = failure.live.operands
    made = LOSS.search(failure.line or f"{failure.message}\n{failure.around}")
    if failure.passed_through("torch/nn/_reduction.py") or (made and not failure.frames):
        loss = made[0] if made else "the loss"
        yield failure.hit(f"{loss} is made of tensors, as its options: `{loss}()(input, target)`")
        return
    if failure.passed_through("torch/nn/modules/dropout.py") and "Dropout" in failure.line:
        yield failure.hit("a Dropout is made of a tensor, as its option: `nn.Dropout(0.5)(x)`")
        return
    if failure.groups["n"] == "no":
        yield failure.hit(
            "a condition is made of an empty tensor: x.numel() > 0 says what is meant"
        )
        return
    shape = f" of shape {there[0].shape}" if len(there) == 1 else ""
    yield failure.hit(f"a condition is made of a tensor{shape}: {asked_of_a_tensor(failure.line)}")


@explains("several-numbers")
def several_numbers(failure: Failure) -> Hits:
    if failure.groups["n"] == "0":
        yield failure.hit(
            "the tensor is empty, and one number is wanted: a mask or a filter chose none, so ask x.numel() before"
        )
        return
    yield failure.hit(
        f"{failure.groups['n']} values where one number is wanted: .mean(), or .tolist()"
    )


@explains("several-in-a-list")
def several_in_a_list(failure: Failure) -> Hits:
    yield failure.hit(taken_for_numbers(failure.line))


@explains("as-an-index")
def as_an_index(failure: Failure) -> Hits:
    if re.search(r"\b(?:torch\.(?:as_)?tensor|\w*Tensor)\(", failure.line):
        yield from several_in_a_list(failure)
        return
    yield failure.hit(
        "a list or range wants one whole number: int(x) of one element, x.tolist() for several, x.long() of floats"
    )


@explains("as-a-text")
def as_a_text(failure: Failure) -> Hits:
    yield failure.hit(
        "a format for one number gets a tensor with dimensions: x.item() of one, x.mean().item() of several"
    )
