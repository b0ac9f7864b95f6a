"""Error messages: a notebook's kernel dies, and its error is not shown."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("ended-unseen")
def ended_unseen(failure: Failure) -> Hits:
    says = say("kernel-s-process-was")
    if failure.groups.get("full"):
        says = say("main-memory-session-full")
    yield failure.hit(says)
