"""Error messages: memory that is to become a tensor, or goes over to another library, does not fit."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("no-whole-elements")
def no_whole_elements(failure: Failure) -> Hits:
    length, size = (
        int(failure.groups["length"]) - int(failure.groups["offset"]),
        failure.groups["size"],
    )
    yield failure.hit(
        f"{length} bytes are no whole number of elements of {size}: another dtype=, offset= a header, or what was read is cut"
    )


@explains("more-than-there-is")
def more_than_there_is(failure: Failure) -> Hits:
    count, size, offset, length = (
        int(failure.groups[n]) for n in ("count", "size", "offset", "length")
    )
    yield failure.hit(
        f"count={count} asks for {count * size} bytes, and there are {length - offset}: a smaller count=, or what was read is cut"
    )


@explains("outside-the-storage")
def outside_the_storage(failure: Failure) -> Hits:
    size = failure.groups["size"]
    yield failure.hit(
        f"the storage has {size} places: it is flat, and untyped_storage() counts in bytes"
    )
