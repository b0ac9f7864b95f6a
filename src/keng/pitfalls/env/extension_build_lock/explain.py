"""Error messages: a build that was interrupted keeps the next one waiting."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("waiting-for-the-lock")
def waiting_for_the_lock(failure: Failure) -> Hits:
    yield failure.hit(say("build-waits-for-lock"))
