"""Error messages: the driver's library is of another version than its kernel module."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("halves-differ")
def halves_differ(failure: Failure) -> Hits:
    yield failure.hit(say("halves-differ"))
