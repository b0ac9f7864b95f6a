"""Error messages: memory that is to become a tensor, or goes over to another library, does not fit."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("no-whole-elements")
def no_whole_elements(failure: Failure) -> Hits:
    length, size = (
        int(failure.groups["length"]) - int(failure.groups["offset"]),
        failure.groups["size"],
    )
    yield failure.hit(say("bytes-no-whole-number", size=length, size_2=size))


@explains("more-than-there-is")
def more_than_there_is(failure: Failure) -> Hits:
    count, size, offset, length = (
        int(failure.groups[n]) for n in ("count", "size", "offset", "length")
    )
    yield failure.hit(
        say("count-asks-bytes-there", left=count, value=count * size, value_2=length - offset)
    )
