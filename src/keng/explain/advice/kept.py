"""What a message tells of a value that backward had kept and that was changed in place since."""

from __future__ import annotations

import re

from keng.explain.failure import Failure

WEIGHTS = {"AsStrided", "T", "Transpose", "Permute", "AccumulateGrad", ""}
"""What a weight comes out of, or nothing."""
TURNED = {"AsStrided", "T", "Transpose"}
PARALLEL = re.compile(
    r"\bDDP\b|DistributedDataParallel|torchrun|distributed[./](?:launch|run)|\bmulti[- ]?(?:gpu|card)|"
    r"nproc|local_rank|多卡",
    re.IGNORECASE,
)
LARGEST_KERNEL = 31
"""What is wider is a map or an image."""
BUFFERS = "broadcast_buffers=False, or one forward for each backward"
COUNTS = re.compile(r"operation: \[torch\.(?:cuda\.)?(?:Long|Int|Short|Byte|Bool)Tensor \[")
INDICES = (
    "indices or a mask, take their clone(); a buffer, as position_ids, which DDP writes, "
    "broadcast_buffers=False"
)
MAY_BE_STEPPED = "or it is a weight, and step() came before this backward"
IN_PLACE = "by `+=`, writing into a part of it or inplace=True: x = x + 1, inplace=False"


def changed_otherwise(failure: Failure, shape: str, node: str) -> str:
    """Where neither the code nor what was in memory tells what changed it."""
    sizes = [int(size) for size in shape.split(", ") if size]
    parallel = failure.tells(PARALLEL)
    if COUNTS.search(failure.message):
        return (
            f"{kept_as(shape, node)}, of whole numbers, was changed before this backward: {INDICES}"
        )
    leaf = node in WEIGHTS and failure.live.changed is None
    # A layer fills its weights in place when it makes them: those are at version 1 and later.
    stepped = leaf and "expected version 0 " not in failure.message
    if leaf and len(sizes) == 1 and not node and (stepped or parallel):
        return _of_one_dimension(shape, parallel)
    if stepped and _is_weight(sizes, node, parallel):
        return _of_a_weight(failure, shape, parallel)
    says = f"{kept_as(shape, node)} is needed for backward and was changed in place, {IN_PLACE}"
    return f"{says}; {MAY_BE_STEPPED}" if stepped and len(sizes) < 3 else says


def _is_weight(sizes: list[int], node: str, parallel: bool) -> bool:
    """What a convolution is made of has small windows, and the weight of a linear layer is turned."""
    if len(sizes) == 2:
        return node in TURNED or parallel
    return len(sizes) > 2 and max(sizes[2:]) <= LARGEST_KERNEL and node != "AsStrided"


def _of_a_weight(failure: Failure, shape: str, parallel: bool) -> str:
    says = f"what seems to be a weight of shape ({shape}) was changed"
    if parallel:
        says += " before this backward: step() after it, or forward again behind the step"
        return f"{says}; is it a buffer, DDP writes it at each forward: broadcast_buffers=False"
    says += " between its forward pass and this backward, as `step()` changes it"
    says += ": step after it, or go forward again behind the step"
    retained = any("retain_graph=True" in text for text in (failure.told, failure.line))
    return f"{says}; retain_graph=True keeps the old graph" if retained else says


def _of_one_dimension(shape: str, parallel: bool) -> str:
    if parallel:
        says = f"what seems to be of a BatchNorm, of shape ({shape}), was changed before this backward, as"
        says += " DDP writes rank 0's buffers into all at each forward"
        return f"{says}: {BUFFERS}; is it a bias, step() later"
    says = f"a bias or a statistic of shape ({shape}) was changed between its forward pass and this"
    return f"{says} backward: step() after it, and under DistributedDataParallel {BUFFERS}"


def kept_as(shape: str, node: str) -> str:
    of = f" of shape ({shape})" if shape else ""
    if node not in WEIGHTS:
        return f"the result of {node.lower()}{of}"
    return f"a {'view' if node == 'AsStrided' and shape.count(',') > 1 else 'value'}{of}"
