"""Error messages: a kernel of cuDNN has failed."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
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
    yield failure.hit(
        f"cuDNN has no algorithm for {failure.layer}: too little memory for its workspace, so a smaller batch; else a dtype that the "
        "card lacks, or another cuDNN in LD_LIBRARY_PATH"
    )


@explains("input-refused")
def input_refused(failure: Failure) -> Hits:
    yield failure.hit(
        f"cuDNN refuses what {failure.layer} gives it: x.contiguous(), tensors of fewer than 2**31 elements, one dtype and "
        "device, a build that knows the card"
    )


@explains("no-plan")
def no_plan(failure: Failure) -> Hits:
    yield failure.hit(
        f"cuDNN has no kernel for this on the card ({failure.groups['what'].strip().lower()}): for attention "
        "torch.backends.cuda.enable_cudnn_sdp(False), else another dtype or shape"
    )
