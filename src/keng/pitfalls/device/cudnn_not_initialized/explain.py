"""Error messages: the cuDNN library cannot start."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("could-not-start")
def could_not_start(failure: Failure) -> Hits:
    yield failure.hit(
        "cuDNN cannot start: mostly the card is full (nvidia-smi, a smaller batch); else a build older than the card (RTX 30 wants CUDA 11), "
        "another cuDNN in LD_LIBRARY_PATH, or a damaged ~/.nv/ComputeCache"
    )
