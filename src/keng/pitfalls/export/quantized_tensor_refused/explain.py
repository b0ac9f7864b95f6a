"""Error messages: a quantized tensor is used as one of numbers, or is made with a scale, zero point or dtype that does not fit."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("with-plain-ones")
def with_plain_ones(failure: Failure) -> Hits:
    kinds = failure.groups["kinds"].replace(" ", " and ")
    yield failure.hit(f"tensors of {kinds} are not computed with each other: x.dequantize() first")


@explains("of-a-plain-dtype")
def of_a_plain_dtype(failure: Failure) -> Hits:
    yield failure.hit(
        f"the dtype {failure.groups['came']} is not a quantized one: torch.quint8, torch.qint8 or torch.qint32"
    )


@explains("zero-beyond")
def zero_beyond(failure: Failure) -> Hits:
    side = "above" if "above" in failure.groups["side"] else "below"
    yield failure.hit(
        f"the zero point {failure.groups['zero']} lies {side} the integers of the dtype: 0 to 255 for quint8, -128 to 127 for qint8"
    )


@explains("scales-of-others")
def scales_of_others(failure: Failure) -> Hits:
    channels, came = failure.groups["channels"], failure.groups["came"]
    yield failure.hit(
        f"the tensor has {channels} channels along its axis, and there are {came} scales"
    )


@explains("no-such-axis")
def no_such_axis(failure: Failure) -> Hits:
    yield failure.hit(
        f"the tensor has no axis {failure.groups['axis']} to be quantized along: axes count from 0, not from the end"
    )


@explains("asked-of-floats")
def asked_of_floats(failure: Failure) -> Hits:
    yield failure.hit(
        f"{failure.groups['op']} is asked of a quantized tensor, and this one holds floats: torch.quantize_per_tensor makes one"
    )
