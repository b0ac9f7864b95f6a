"""What was changed in place that backward needs, as its shape and the words around it tell."""

from __future__ import annotations

import re

from keng.failures import Failure

PARALLEL = re.compile(
    r"\bDDP\b|DistributedDataParallel|torchrun|distributed[./](?:launch|run)|\bmulti[- ]?(?:gpu|card)|"
    r"nproc|local_rank|多卡",
    re.IGNORECASE,
)
LARGEST_KERNEL = 31
"""What is wider is a map or an image."""

BUFFERS = "broadcast_buffers=False, or one forward for each backward"


def of_a_leaf(failure: Failure, shape: str) -> str:
    """Of a tensor that no operation has made, or a weight turned round: a parameter that is stepped, or a
    buffer. Nothing where the shape is of something else."""
    sizes = [int(size) for size in shape.split(", ") if size]
    shown = f"{failure.told} {failure.message} {' '.join(frame.path for frame in failure.frames)}"
    parallel = PARALLEL.search(shown) is not None
    if not sizes or (len(sizes) > 2 and sizes[-1] > LARGEST_KERNEL):
        return ""
    if len(sizes) == 1:
        return of_one_dimension(failure, shape, parallel)
    says = f"what seems to be a weight of shape ({shape}) was changed"
    if parallel:
        says += " before this backward: step() after it, or forward again behind the step"
        return f"{says}; is it a buffer, DDP writes it at each forward: broadcast_buffers=False"
    says += " between its forward pass and this backward, as `step()` changes it"
    says += ": step after it, or go forward again behind the step"
    retained = any("retain_graph=True" in text for text in (failure.told, failure.line))
    return f"{says}; retain_graph=True keeps the old graph" if retained else says


def of_one_dimension(failure: Failure, shape: str, parallel: bool) -> str:
    if "is at version" not in failure.message or "which is output" in failure.message:
        return ""
    if parallel:
        says = f"what seems to be of a BatchNorm, of shape ({shape}), was changed before this backward, as"
        says += " DDP writes rank 0's buffers into all at each forward"
        return f"{says}: {BUFFERS}; is it a bias, step() later"
    says = f"a bias or a statistic of shape ({shape}) was changed between its forward pass and this"
    return f"{says} backward: step() after it, and under DistributedDataParallel {BUFFERS}"
