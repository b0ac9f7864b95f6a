"""Error messages: a library knows schedulers by the base class that they had before torch 2."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("asked-for-the-old-base")
def asked_for_the_old_base(failure: Failure) -> Hits:
    yield failure.hit(say("asked-base-class-lrscheduler", name=failure.groups["name"]))
