"""Error messages: a quantized tensor is used as one of numbers, or is made with a scale, zero point or dtype that does not fit."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("with-plain-ones")
def with_plain_ones(failure: Failure) -> Hits:
    kinds = failure.groups["kinds"].replace(" ", ", ")
    yield failure.hit(say("quantized-meets-plain", kinds=kinds))


@explains("of-a-plain-dtype")
def of_a_plain_dtype(failure: Failure) -> Hits:
    yield failure.hit(say("dtype-not-quantized", came=failure.groups["came"]))


@explains("zero-beyond")
def zero_beyond(failure: Failure) -> Hits:
    zero, above = failure.groups["zero"], "above" in failure.groups["side"]
    below = say("zero-point-below", zero=zero)
    yield failure.hit(say("zero-point-above", zero=zero) if above else below)


@explains("scales-of-others")
def scales_of_others(failure: Failure) -> Hits:
    channels, came = failure.groups["channels"], failure.groups["came"]
    yield failure.hit(say("scales-of-other-channels", channels=channels, came=came))


@explains("no-such-axis")
def no_such_axis(failure: Failure) -> Hits:
    yield failure.hit(say("no-such-axis", axis=failure.groups["axis"]))


@explains("asked-of-floats")
def asked_of_floats(failure: Failure) -> Hits:
    yield failure.hit(say("operation-of-quantized", op=failure.groups["op"]))
