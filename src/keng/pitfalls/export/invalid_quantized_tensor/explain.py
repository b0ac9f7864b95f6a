"""Error messages: a quantized tensor is used as one of numbers, or is made with a scale, zero point or dtype that does not fit."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("with-plain-ones")
def with_plain_ones(failure: Failure) -> Hits:
    kinds = failure.groups["kinds"].replace(" ", " and ")
    yield failure.hit(say("tensors-not-computed-each", kinds=kinds))


@explains("of-a-plain-dtype")
def of_a_plain_dtype(failure: Failure) -> Hits:
    yield failure.hit(say("dtype-not-quantized-one", came=failure.groups["came"]))


@explains("zero-beyond")
def zero_beyond(failure: Failure) -> Hits:
    side = "above" if "above" in failure.groups["side"] else "below"
    yield failure.hit(say("zero-point-lies-integers", side=failure.groups["zero"], side_2=side))


@explains("scales-of-others")
def scales_of_others(failure: Failure) -> Hits:
    channels, came = failure.groups["channels"], failure.groups["came"]
    yield failure.hit(say("tensor-has-channels-along", came=channels, came_2=came))


@explains("no-such-axis")
def no_such_axis(failure: Failure) -> Hits:
    yield failure.hit(say("tensor-has-no-axis", axis=failure.groups["axis"]))


@explains("asked-of-floats")
def asked_of_floats(failure: Failure) -> Hits:
    yield failure.hit(say("asked-quantized-tensor-one", op=failure.groups["op"]))
