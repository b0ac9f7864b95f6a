"""Error messages: whole numbers come where only floating-point numbers can be."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains

PACKED = re.compile(
    r"\b(?:8|4)-?bits?\b|load_in_[48]bit|bitsandbytes|\bInt8Params\b|quantiz", re.IGNORECASE
)


@explains("mean-of-whole-numbers")
def mean_of_whole_numbers(failure: Failure) -> Hits:
    there, groups = failure.live.operands, failure.groups
    name = there[0].name if len(there) == 1 else "x"
    yield failure.hit(
        f"{groups['what']}() of {groups['came'].lower()} numbers: {name}.float().{groups['what']}()"
    )


@explains("gradient-of-whole-numbers")
def gradient_of_whole_numbers(failure: Failure) -> Hits:
    says = "whole numbers have no gradient: make the tensor of floats, or x.float() first"
    if any(
        map(PACKED.search, (failure.context, failure.message, failure.line, failure.surrounding))
    ):
        says = "packed weights of 8 or 4 bits are whole numbers, which have no gradient: an adapter beside them (LoRA), and requires_grad of floats alone"
    yield failure.hit(says)


@explains("module-of-whole-numbers")
def module_of_whole_numbers(failure: Failure) -> Hits:
    yield failure.hit(
        f"a module cannot be {failure.groups['came']}: its weights are floats; convert the input alone"
    )


@explains("image-of-whole-numbers")
def image_of_whole_numbers(failure: Failure) -> Hits:
    yield failure.hit(
        f"Normalize gets {failure.groups['came']}: ToTensor() before it, or ToDtype(torch.float32, scale=True)"
    )
