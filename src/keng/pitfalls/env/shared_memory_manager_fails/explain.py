"""Error messages: the manager of torch's shared memory does not start."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("no-socket")
def no_socket(failure: Failure) -> Hits:
    says = say("torch-shm-manager-cannot")
    if failure.groups.get("late"):
        says = say("torch-shm-manager-does")
    yield failure.hit(says)
