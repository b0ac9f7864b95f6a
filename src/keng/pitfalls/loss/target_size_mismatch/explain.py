"""Error messages: predictions and targets of a loss have different sizes."""

from __future__ import annotations

import re
from math import isqrt

from keng.explain.advice.inputs import fitted
from keng.explain.advice.losses import batches_apart, resolutions_apart
from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("one-by-one")
def one_by_one(failure: Failure) -> Hits:
    target, given = failure.groups["target"], failure.groups["input"]
    names = failure.lost_as(0, "the input").strip("`"), failure.lost_as(1, "the target").strip("`")
    says = f"{names[0]} is ({given}), {names[1]} is ({target})"
    name = names[1] if names[1].isidentifier() else "target"
    shapes = [[int(size) for size in each.split(", ") if size] for each in (target, given)]
    cure, form = fitted(name, *shapes)
    says += f": {cure}" if cure else ""
    yield failure.hit(says, failure.turned(names[1], form) if form else None)


@explains("batches-that-differ")
def batches_that_differ(failure: Failure) -> Hits:
    yield failure.hit(
        batches_apart(failure, int(failure.groups["rows"]), int(failure.groups["labels"]))
    )


@explains("resolutions-that-differ")
def resolutions_that_differ(failure: Failure) -> Hits:
    yield failure.hit(resolutions_apart(failure.groups["input"], failure.groups["target"]))


@explains("of-several-inputs")
def of_several_inputs(failure: Failure) -> Hits:
    sizes = failure.groups["sizes"].replace("torch.Size", "")
    yield failure.hit(
        f"{failure.groups['loss']} wants inputs and target of one number of dimensions: {sizes}"
    )


@explains("one-by-one-in-old-words")
def one_by_one_in_old_words(failure: Failure) -> Hits:
    target, given = failure.groups["target"], failure.groups["input"]
    says = f"the loss compares one by one, and gets {given} values with a target of {target}"
    shapes = [[int(size) for size in re.findall(r"\d+", each)] for each in (target, given)]
    plain = given.isdigit() and target.isdigit() and int(target)
    if plain and (each := int(given) // int(target)) > 1:
        of_maps = each > 4 and isqrt(each) ** 2 == each
        cure = MAPS if of_maps else "a model of 1 output, or cross_entropy for class numbers"
        says += f", {each} for each: {cure}"
    elif "inconsistent" not in failure.message and (cure := fitted("target", *shapes)[0]):
        says += f": {cure}"
    yield failure.hit(says)


MAPS = "maps of scores, as a discriminator of patches gives: torch.ones_like(output), or a mean over each"
