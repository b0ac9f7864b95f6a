"""Error messages: a kernel was compiled by a CUDA newer than the driver."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("newer-than-the-driver")
def newer_than_the_driver(failure: Failure) -> Hits:
    yield failure.hit(say("driver-older-than-cuda"))
