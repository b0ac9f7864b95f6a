"""Error messages: a tensor is written to whose elements share memory."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("expanded")
def expanded(failure: Failure) -> Hits:
    yield failure.hit(
        "the tensor that is written to came from expand, and one number stands in many places: clone it first"
    )


@explains("overlapping")
def overlapping(failure: Failure) -> Hits:
    yield failure.hit(
        "what is read and what is written share memory, shifted: clone what is read first"
    )
