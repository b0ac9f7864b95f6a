"""Error messages: a kernel of cuDNN has failed."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("kernel-failed")
def kernel_failed(failure: Failure) -> Hits:
    backward = any(frame.function == "backward" for frame in failure.frames)
    advice = say("find-the-cause")
    says = say("failed", advice=advice)
    if backward:
        says = say("failed-in-backward", advice=advice)
    elif failure.layer_name:
        says = say("failed-in-layer", layer=failure.layer, advice=advice)
    yield failure.hit(says)


@explains("no-algorithm-left")
def no_algorithm_left(failure: Failure) -> Hits:
    yield failure.hit(say("no-algorithm", layer=failure.layer))


@explains("input-refused")
def input_refused(failure: Failure) -> Hits:
    yield failure.hit(say("input-rejected", layer=failure.layer))


@explains("no-plan")
def no_plan(failure: Failure) -> Hits:
    yield failure.hit(say("no-kernel", what=failure.groups["what"].strip().lower()))
