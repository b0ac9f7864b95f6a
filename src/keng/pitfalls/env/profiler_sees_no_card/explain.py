"""Error messages: the profiler does not see what runs on the card."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

CURES = {
    "INSUFFICIENT_PRIVILEGES": "the driver keeps counters for root: NVreg_RestrictProfilingToAdminUsers=0, or sudo",
    "MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED": "another profiler holds it, as Nsight or DCGM: end that first",
}
"""By the last words of CUPTI's error."""


@explains("does-not-start")
def does_not_start(failure: Failure) -> Hits:
    error = failure.groups["error"]
    name = f"CUPTI_ERROR_{error}" if error.isupper() else error
    cure = CURES.get(
        error, "a driver as new as this CUDA, no other profiler, and no other libcupti"
    )
    yield failure.hit(say("profiler-gets-nothing-from", cure=name, cure_2=cure))


@explains("built-without")
def built_without(failure: Failure) -> Hits:
    yield failure.hit(say("pytorch-was-built-without"))


@explains("no-card")
def no_card(failure: Failure) -> Hits:
    yield failure.hit(say("no-seen-here-so", kind=failure.groups["kind"]))
