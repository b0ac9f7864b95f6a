"""Error messages: a kernel was compiled by a CUDA newer than the driver."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("newer-than-the-driver")
def newer_than_the_driver(failure: Failure) -> Hits:
    yield failure.hit(
        "the driver is older than the CUDA that compiled this kernel: update it, or a PyTorch for the CUDA that `nvidia-smi` names; "
        "an extension is built for the card's own architecture (TORCH_CUDA_ARCH_LIST)"
    )
