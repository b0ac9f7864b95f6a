"""Tensors that are to be joined, and what their sizes and dimensions tell."""

from __future__ import annotations

import re
from collections.abc import Iterator

from keng.explain.advice.images import ALPHA
from keng.explain.advice.sizes import POWERS_OF_TWO, WIDTHS
from keng.explain.failure import Failure

PRINTED = re.compile(
    r"(?:(?P<name>[A-Za-z_]\w{0,30})\s{0,3}[:=]?\s{0,3})?"
    r"(?:torch\.Size\(\[|\[|\()(?P<shape>\d{1,6}, ?\d{1,6}, ?\d{1,6}, ?\d{1,6})[\])]"
)
"""A shape of four dimensions that a person has printed, and what stands before it."""
CHANNELS = (1, 3, 4)
LEAST_SIDE = 16
ELSE = "else pad or crop one of them"
OF_TIME = re.compile(
    r"\b(?P<name>\w{0,30}(?:3d|video|clip|temporal|frames)\w{0,30})\b", re.IGNORECASE
)


def cure_of_sizes(failure: Failure, one: int, other: int, dim: str = "1", at: str = "") -> str:
    """What brings two together that are joined along `dim` and differ in another dimension, `at` where
    that is told."""
    small, large = sorted((one, other))
    if last := channels_last(failure):
        return last
    if at == "0" != dim:
        return "make both for the batch that came, or drop_last=True where the last one is smaller"
    if (small, large, dim) == (3, 4, "0"):
        return f"an image {ALPHA}"
    if small == 1:
        says = "torch.cat stretches no 1, as of one thing beside a batch of several"
        return f"{says}: expand or repeat it to {large}"
    if large - small == 1:
        says = "as when an odd size is halved and doubled again"
        return f"{says}; pad or crop one to {large}, or the input to a multiple of 32"
    apart = large - small
    rounded = any(-small % each == apart or large % each == apart for each in (4, 8, 16, 32))
    if dim != "0" and 2 <= apart <= small // 8 and rounded:
        says = "of maps of an image, as when a size is no multiple of what it is halved by"
        return f"{says}: the input padded to a multiple of 32; else pad or crop one to {large}"
    if {small, large} <= WIDTHS and {small, large} - POWERS_OF_TWO:
        return "widths of two models: an nn.Linear to one of them before, or another dim"
    if small in (3, 4) and large >= LEAST_SIDE:
        says = f"channels last in one and second in the other, where the {small} are channels"
        return f"{says}: x.permute(0, 3, 1, 2); {ELSE}"
    if small == 2 and large >= 64:
        return f"(2, n) and (n, 2), where one is turned round, as edges and points are: x.T; {ELSE}"
    says = "resize images, pad sequences, or make both for one batch, before"
    return f"{says}; or join along the dimension that differs"


def channels_last(failure: Failure) -> str:
    """Which of the tensors, whose shapes are printed or were in memory, has its channels last."""
    shapes = list(_shapes(failure))
    second = [shape for _, shape in shapes if shape[1] in CHANNELS and min(shape[2:]) >= LEAST_SIDE]
    last = [(n, s) for n, s in shapes if s[3] in CHANNELS and min(s[1:3]) >= LEAST_SIDE]
    if not last or not second:
        return ""
    name, shape = last[0]
    says = f"`{name}` of shape {shape} has its channels last, {second[0]} has them second"
    return f"{says}: {name}.permute(0, 3, 1, 2)"


def _shapes(failure: Failure) -> Iterator[tuple[str, tuple[int, ...]]]:
    for operand in failure.live.operands:
        if len(operand.shape) == 4:
            yield operand.name, operand.shape
    for found in PRINTED.finditer(f"{failure.message}\n{failure.told}"):
        sizes = tuple(int(size) for size in found["shape"].split(","))
        yield (found["name"] or "x"), sizes


def cure_of_dimensions(failure: Failure, one: int, other: int) -> str:
    """What brings two together that do not have one number of dimensions: both ways, where the shapes are
    not known."""
    line = failure.line or failure.around
    timed = OF_TIME.search(line) if {one, other} == {4, 5} else None
    if timed is not None:
        says = "the one of five keeps a time of several steps, which squeeze does not take away"
        return f"{says}: pool it, as in {timed['name']}.mean(2)"
    says = (
        "unsqueeze(...) gives the smaller one what it lacks, where the other has not one too many"
    )
    return f"{says}, x[0], squeeze or a mean"
