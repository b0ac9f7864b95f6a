"""Error messages: a tensor is written to whose elements share memory."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("expanded")
def expanded(failure: Failure) -> Hits:
    yield failure.hit(say("tensor-written-came-from"))


@explains("overlapping")
def overlapping(failure: Failure) -> Hits:
    yield failure.hit(say("what-read-what-written"))
