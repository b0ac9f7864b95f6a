"""Error messages: a size is negative."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

FAR = 2**24
"""What is further below zero was no difference of sizes."""


@explains("below-zero")
def below_zero(failure: Failure) -> Hits:
    size, shape = failure.groups["size"], failure.groups["shape"]
    if int(size) < -FAR:
        says = say("size-overflowed", shape=shape, size=size)
    elif size == "-1":
        says = say("minus-one-as-size", shape=shape)
    else:
        says = say("size-below-zero", shape=shape, size=size)
    yield failure.hit(says)
