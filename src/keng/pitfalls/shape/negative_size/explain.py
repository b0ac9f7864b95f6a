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
    cure = "more was taken away than was there"
    if size == "-1":
        cure += ", or -1 is to be what fits, which view and expand know alone"
    if int(size) < -FAR:
        cure = "a number that did not fit into 32 bits"
    yield failure.hit(say("tensor-shape-made-no", cure=shape, size=size, cure_2=cure))


@explains("below-zero-without-its-size")
def below_zero_without_its_size(failure: Failure) -> Hits:
    yield failure.hit(say("size-was-computed-below"))
