"""Error messages: the profiler does not see what runs on the card."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("does-not-start")
def does_not_start(failure: Failure) -> Hits:
    error = failure.groups["error"]
    name = f"CUPTI_ERROR_{error}" if error.isupper() else error
    says = say("no-data-from-gpu", error=name)
    if error == "INSUFFICIENT_PRIVILEGES":
        says = say("counters-for-root", error=name)
    elif error == "MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED":
        says = say("another-profiler", error=name)
    yield failure.hit(says)
