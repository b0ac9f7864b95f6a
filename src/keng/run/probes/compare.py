"""Differences between two results, measured against what rounding explains."""

from __future__ import annotations

import torch
from torch import Tensor

SAME_SHAPES = 64
"""Multiples of eps x max|output| that are rounding where the shapes are equal: the noise measured is 1.3."""
OTHER_POSITIONS = 256
OTHER_SHAPES = 2048
"""Kernels differ with the number of rows: the noise measured is 21."""
BEYOND = 1e30
"""Numbers of a mask, such as the least float32: no scale of an output."""
FAR = 20
"""A largest value that several elements share, this many times the next smaller one, is a mask's as well."""


def tolerance(tensor: Tensor, factor: int) -> float:
    """The largest difference that rounding explains: factor x eps(dtype) x max|tensor|."""
    sizes = tensor.detach()[torch.isfinite(tensor)].abs()
    if tensor.dtype.itemsize >= 4:
        sizes = sizes[sizes < BEYOND]
    return factor * torch.finfo(tensor.dtype).eps * _scale(sizes) + 1e-30


def _scale(sizes: Tensor) -> float:
    if not sizes.numel():
        return 1.0
    top = sizes.max()
    rest = sizes[sizes < top * 0.99]
    masked = sizes.numel() - rest.numel() >= 2 and rest.numel() and float(top) >= 1e3
    if masked and float(top) > FAR * float(rest.max()):
        return float(rest.max())
    return float(top)


def difference(one: Tensor, two: Tensor) -> Tensor:
    """The absolute difference of each element in float64; 0 where both are NaN or equal, infinite where
    only one is finite."""
    one, two = one.detach().double(), two.detach().double()
    equal = (one == two) | (one.isnan() & two.isnan())
    gap = torch.nan_to_num((one - two).abs(), nan=float("inf"))
    return torch.where(equal, torch.zeros_like(gap), gap)


def largest(gap: Tensor) -> float:
    return float(gap.max()) if gap.numel() else 0.0


def ratio(one: Tensor, two: Tensor, factor: int) -> float:
    """The largest difference in units of the tolerance: above 1 rounding does not explain it."""
    return largest(difference(one, two)) / tolerance(one, factor)


def shared_response(base: Tensor, others: list[Tensor], count: int) -> float:
    """The largest response that two of the perturbed rows share in one element, in units of rounding. In a
    matrix of every row against every row, two may meet and three may not."""
    gaps = torch.stack([difference(base, each) for each in others])
    square = base.ndim > 1 and list(base.shape).count(count) > 1
    meeting = gaps.amin(0) if square else gaps.sort(0).values[-2]
    return largest(meeting) / tolerance(base, SAME_SHAPES)


def other_rows(base: Tensor, others: list[Tensor], axis: int) -> float:
    """The largest change of a row other than the one that was perturbed: run `a` perturbs row `a`."""
    worst = 0.0
    for row, other in enumerate(others):
        gap = difference(base, other).movedim(axis, 0).clone()
        gap[row] = 0
        worst = max(worst, largest(gap))
    return worst / tolerance(base, SAME_SHAPES)
