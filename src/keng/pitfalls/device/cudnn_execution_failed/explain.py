"""Error messages: a kernel of cuDNN has failed."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("kernel-failed")
def kernel_failed(failure: Failure) -> Hits:
    backward = any(frame.function == "backward" for frame in failure.frames)
    when = "in backward" if backward else f"in {failure.layer}" if failure.layer_name else "here"
    yield failure.hit(
        f"cuDNN failed {when}: an earlier kernel's error (CUDA_LAUNCH_BLOCKING=1 tells), too little memory, a build that does not "
        "know the card, or sizes that cudnn.enabled = False goes around"
    )


@explains("no-algorithm-left")
def no_algorithm_left(failure: Failure) -> Hits:
    yield failure.hit(say("cudnn-has-no-algorithm", layer=failure.layer))


@explains("input-refused")
def input_refused(failure: Failure) -> Hits:
    yield failure.hit(say("cudnn-refuses-what-gives", layer=failure.layer))


@explains("no-plan")
def no_plan(failure: Failure) -> Hits:
    yield failure.hit(say("cudnn-has-no-kernel", what=failure.groups["what"].strip().lower()))
