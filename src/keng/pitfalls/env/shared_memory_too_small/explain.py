"""Error messages: dataLoader workers run out of shared memory."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("overflow")
def overflow(failure: Failure) -> Hits:
    pod = any(word in failure.context for word in ("ubernetes", "k8s", " pod"))
    yield failure.hit(say("shm-overflow-in-pod") if pod else say("shm-overflow"))


@explains("too-many-files")
def too_many_files(failure: Failure) -> Hits:
    sure = bool(failure.groups["why"])
    says = say("open-files-reached") if sure else say("open-files-or-shm-reached")
    yield failure.hit(says, sure=sure)
