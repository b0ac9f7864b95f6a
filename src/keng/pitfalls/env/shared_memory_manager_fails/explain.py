"""Error messages: the manager of torch's shared memory does not start."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("no-socket")
def no_socket(failure: Failure) -> Hits:
    says = "torch_shm_manager cannot make its socket, or be run: a TMPDIR that is there, writable and not full, and chmod +x for the program"
    if failure.groups.get("late"):
        says = "torch_shm_manager does not answer: it was killed, or the machine is too busy; the strategy file_descriptor under Linux does without it"
    yield failure.hit(says)
