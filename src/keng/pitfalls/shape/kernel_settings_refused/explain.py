"""Error messages: the settings of a convolution or a pooling do not go together."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("another-number-of-numbers")
def another_number_of_numbers(failure: Failure) -> Hits:
    name, n = failure.groups["name"], failure.groups["n"]
    yield failure.hit(f"`{name}` is one number or {n} numbers, one for each dimension")


@explains("bias-of-another-size")
def bias_of_another_size(failure: Failure) -> Hits:
    channels, came = failure.groups["channels"], failure.groups["came"]
    yield failure.hit(
        f"the weight has {channels} output channels, and the bias is [{came}]: one number for each of them"
    )


@explains("groups-that-do-not-divide")
def groups_that_do_not_divide(failure: Failure) -> Hits:
    groups, channels = failure.groups["groups"], failure.groups["channels"]
    yield failure.hit(
        f"the {channels} output channels of the weight are not divided by {groups} groups"
    )


@explains("more-than-is-open")
def more_than_is_open(failure: Failure) -> Hits:
    yield failure.hit(
        f"output_padding picks one of the sizes that stride or dilation leaves open, and is smaller than these: {failure.groups['got']}"
    )


@explains("never-pooled")
def never_pooled(failure: Failure) -> Hits:
    low, high = int(failure.groups["low"]) + 1, int(failure.groups["high"]) - 1
    yield failure.hit(
        f"output_size is {failure.groups['size']}, and this pooling came from {low} to {high}: output_size=x.shape of the pooling's input"
    )


@explains("of-another-pooling")
def of_another_pooling(failure: Failure) -> Hits:
    index, size = failure.groups["index"], failure.groups["size"].replace("x", " x ")
    yield failure.hit(
        f"place {index} lies outside of what is given back, {size}: the indices, kernel_size and stride of one pooling, or output_size="
    )
