"""What a message tells of a value that backward had kept and that was changed in place since."""

from __future__ import annotations

import re

from keng.failures import Failure

WEIGHTS = {"AsStrided", "T", "Transpose", "Permute", "AccumulateGrad", ""}
"""What a weight comes out of, or nothing."""
TURNED = {"AsStrided", "T", "Transpose"}
WIDEST_WINDOW = 31
SEVERAL_PROCESSES = re.compile(
    r"\bDDP\b|DistributedDataParallel|torch\.distributed|\btorchrun\b|\bmulti[- ]?gpus?\b|"
    r"nn/parallel/distributed",
    re.IGNORECASE,
)
MAY_BE_STEPPED = "or it is a weight, and step() came before this backward"
IN_PLACE = "by `+=`, writing into a part of it or inplace=True: x = x + 1"
STEPPED = "step after it, or go forward again behind the step"
COPIED = "under DDP, which copies buffers at each forward, broadcast_buffers=False"
BUFFERS = (
    "DistributedDataParallel copies its buffers at every forward, so that two forwards before one "
    "backward want broadcast_buffers=False"
)


def changed_otherwise(failure: Failure, shape: str, node: str) -> str:
    """Where neither the code nor what was in memory tells what changed it."""
    sizes = [int(size) for size in shape.split(", ") if size]
    untouched = "expected version 0 " in failure.message or failure.live.changed is not None
    kept = kept_as(shape, node)
    if node in WEIGHTS and not untouched and _is_weight(sizes, node):
        says = f"what seems to be a weight of shape ({shape}) was changed between"
        says += " its forward pass and this backward"
        return f"{says}, as `step()` changes it: {STEPPED}{_retained(failure)}"
    if node in WEIGHTS and not untouched and len(sizes) == 1:
        says = f"{kept}, as a norm layer keeps, was changed before this backward"
        if _several_processes(failure):
            return f"{says}: {BUFFERS}"
        return f"{says}: as step() does, which belongs behind it; {COPIED}"
    says = f"{kept} is needed for backward and was changed in place, {IN_PLACE}"
    perhaps = node in WEIGHTS and not untouched and len(sizes) < 3
    return f"{says}; {MAY_BE_STEPPED}" if perhaps else says


def _is_weight(sizes: list[int], node: str) -> bool:
    """A layer fills its weights in place when it makes them: those are at version 1 and later. What a
    convolution is made of has small windows, and the weight of a linear layer is turned."""
    if len(sizes) == 2:
        return node in TURNED
    return len(sizes) > 2 and max(sizes[2:]) <= WIDEST_WINDOW and node != "AsStrided"


def kept_as(shape: str, node: str) -> str:
    of = f" of shape ({shape})" if shape else ""
    if node not in WEIGHTS:
        return f"the result of {node.lower()}{of}"
    return f"a {'view' if node == 'AsStrided' and shape.count(',') > 1 else 'value'}{of}"


def _retained(failure: Failure) -> str:
    retained = any("retain_graph=True" in text for text in (failure.told, failure.line))
    return "; retain_graph=True keeps the old graph" if retained else ""


def _several_processes(failure: Failure) -> bool:
    shown = (failure.told, failure.message, failure.around, *(f.posix for f in failure.frames))
    return any(map(SEVERAL_PROCESSES.search, shown))
