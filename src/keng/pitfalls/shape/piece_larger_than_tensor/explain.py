"""Error messages: more is taken out of a tensor than is in it."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("fewer-than-k")
def fewer_than_k(failure: Failure) -> Hits:
    yield failure.hit(
        "the tensor has fewer than k elements along dim, as for a top 5 of 3 classes: min(k, x.size(dim))"
    )


@explains("window")
def window(failure: Failure) -> Hits:
    start, length, size = (failure.groups[key] for key in ("start", "length", "size"))
    yield failure.hit(f"{length} elements from {start} on are asked for, and there are {size}")


@explains("sizes-of-a-split")
def sizes_of_a_split(failure: Failure) -> Hits:
    size, dim, sizes = (failure.groups[key] for key in ("size", "dim", "sizes"))
    total = sum(int(each) for each in sizes.split(",") if each.strip())
    yield failure.hit(f"the sizes [{sizes}] are {total} together, and dimension {dim} has {size}")


@explains("drawn")
def drawn(failure: Failure) -> Hits:
    yield failure.hit("more is drawn than there are entries: replacement=True, or fewer samples")


@explains("beyond-its-memory")
def beyond_its_memory(failure: Failure) -> Hits:
    wants, there = failure.groups["wants"], failure.groups["there"]
    yield failure.hit(
        f"sizes and strides reach {wants} bytes far, and the memory has {there}: both count elements of this tensor"
    )


@explains("frames")
def frames(failure: Failure) -> Hits:
    dim, size, wants = (failure.groups[key] for key in ("dim", "size", "wants"))
    says = f"pieces of {wants} are asked for, and dimension {dim} has {size}"
    yield failure.hit(f"{says}: F.pad before it, or smaller pieces")


@explains("crop")
def crop(failure: Failure) -> Hits:
    wants, came = failure.groups["wants"], failure.groups["came"]
    yield failure.hit(
        f"a crop of ({wants}) is asked of an image of ({came}): Resize before it, or pad_if_needed=True"
    )


@explains("begins-outside")
def begins_outside(failure: Failure) -> Hits:
    start, size = failure.groups["start"], failure.groups["size"]
    yield failure.hit(f"a piece from {start} on is asked for, and there are {size}")
