"""What numbers tell of a tensor that is to be viewed in a shape that it does not fill."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import isqrt, prod

from keng.explain.advice.images import another_resolution

FEW = 8
"""How many times as large a batch may come as was planned, as of several cards."""


def open_otherwise(there: int, shape: Sequence[int]) -> str:
    """Why no size may fit where one is left open, -1, to follow that none does."""
    first, *rest = shape
    if first == -1 and len(rest) == 1:
        says = ": what comes is of another size than was planned, as of other images"
        return f"{says}; x.flatten(1), and the next layer made for it"
    each = prod(size for size in rest if size != -1)
    if first == -1 and len(rest) == 2 and there % rest[1] == 0:
        says = f": {there // rest[1]} rows of {rest[1]} are no groups of {rest[0]}"
        return f"{says}, as of a smaller last batch: drop_last=True, or pad them"
    if len(rest) == each == 1 and there > first:
        return f": rows of other lengths, as x[mask] leaves them, or {first} was the size of another batch"
    if first > 1 and each and there % each == 0:
        says = f": view(x.size(0), ...), where {first} is a batch_size and fewer came"
        return f"{says}, or data of the length that was planned"
    return ": what comes is of another length or size than these numbers were made for"


def filled_otherwise(there: int, shape: Sequence[int]) -> str:
    """What would fit, and why it may differ: another batch, other images, or one size that was computed
    otherwise; nothing where the numbers tell none of these."""
    known = prod(shape)
    rest = known // shape[0] if shape and shape[0] > 0 else 0
    if rest and (larger := another_resolution(there, shape)):
        return f": {larger}"
    if rest and len(shape) == shape.count(1) + 1:
        return f"; {_open(shape)} takes as many as come"
    if there in (3 * known, 4 * known) and 1 in shape[1:]:
        return f"; {there // known} in place of 1 would fit: colours, where one channel is planned"
    if rest and there % rest == 0:
        says = f"; ({there // rest}, ...) would fit"
        if there > FEW * known:
            says = f"{says}, of a larger batch, or of steps that the shape leaves out"
            return f"{says}: view(*x.shape[:2], ...)"
        size = "smaller" if there < known else "larger"
        return f"{says}: the batch is {size}, so view(x.size(0), ...)"
    if side := _of_a_map(there, shape):
        return side
    others = [
        (n, there * size // known)
        for n, size in enumerate(shape[1:], 1)
        if _fits(there, known, size)
    ]
    if len(others) != 1:
        return ""
    n, fitting = others[0]
    says = f"; {fitting} in place of {shape[n]} would fit"
    return f"{says}: that size was computed otherwise than what comes"


def _of_a_map(there: int, shape: Sequence[int]) -> str:
    """Whether a square map of another size makes the shape fit."""
    for one, other in pairwise(shape):
        places = there * one * one // max(prod(shape), 1)
        side = isqrt(places)
        if one == other > 1 and side * side * prod(shape) == there * one * one:
            says = f"; maps of {side} x {side} in place of {one} x {one} would fit"
            return f"{says}: images of another size, or an odd size that was halved"
    return ""


def _fits(there: int, known: int, size: int) -> bool:
    """Whether another number in the place of one size makes the shape fit."""
    return known > 0 < size and there % (known // size) == 0


def _open(shape: Sequence[int]) -> str:
    return f"view({', '.join(str(size) if size == 1 else '-1' for size in shape)})"
