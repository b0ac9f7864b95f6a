"""Error messages: more is taken out of a tensor than is in it."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("fewer-than-k")
def fewer_than_k(failure: Failure) -> Hits:
    yield failure.hit(say("tensor-has-fewer-than"))


@explains("window")
def window(failure: Failure) -> Hits:
    start, length, size = (failure.groups[key] for key in ("start", "length", "size"))
    yield failure.hit(say("elements-from-on-asked", size=length, start=start, size_2=size))


@explains("sizes-of-a-split")
def sizes_of_a_split(failure: Failure) -> Hits:
    size, dim, sizes = (failure.groups[key] for key in ("size", "dim", "sizes"))
    total = sum(int(each) for each in sizes.split(",") if each.strip())
    yield failure.hit(
        say("sizes-together-dimension-has", size=sizes, total=total, dim=dim, size_2=size)
    )


@explains("drawn")
def drawn(failure: Failure) -> Hits:
    yield failure.hit(say("more-drawn-than-there"))


@explains("beyond-its-memory")
def beyond_its_memory(failure: Failure) -> Hits:
    wants, there = failure.groups["wants"], failure.groups["there"]
    yield failure.hit(say("sizes-strides-reach-bytes", there=wants, there_2=there))


@explains("frames")
def frames(failure: Failure) -> Hits:
    dim, size, wants = (failure.groups[key] for key in ("dim", "size", "wants"))
    says = f"pieces of {wants} are asked for, and dimension {dim} has {size}"
    yield failure.hit(f"{says}: F.pad before it, or smaller pieces")


@explains("crop")
def crop(failure: Failure) -> Hits:
    wants, came = failure.groups["wants"], failure.groups["came"]
    yield failure.hit(say("crop-asked-image-resize", came=wants, came_2=came))


@explains("begins-outside")
def begins_outside(failure: Failure) -> Hits:
    start, size = failure.groups["start"], failure.groups["size"]
    yield failure.hit(say("piece-from-on-asked", size=start, size_2=size))
