"""Error messages: a forked process uses CUDA."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("started-in-a-worker")
def started_in_a_worker(failure: Failure) -> Hits:
    if not any("/data/_utils/" in frame.path for frame in failure.frames):
        return
    default = any(frame.posix.endswith("torch/utils/_device.py") for frame in failure.frames)
    yield failure.hit(say("default-device-in-worker") if default else say("worker-uses-cuda"))


@explains("forked-after-the-start")
def forked_after_the_start(failure: Failure) -> Hits:
    worker = any("/data/_utils/" in frame.path for frame in failure.frames)
    kind = failure.groups["kind"]
    says = say("forked-after-start", kind=kind)
    if worker:
        says = say("worker-forked-after-start", kind=kind)
    elif not failure.frames:
        says = say("forked-somewhere-after-start", kind=kind)
    yield failure.hit(says)
