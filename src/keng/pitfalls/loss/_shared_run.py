"""What the run.py of several pitfalls of losses share."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torch import Tensor

FEWEST = 64
"""Positions that are compared."""


def share_equal(tokens: Tensor, targets: Tensor, shift: int) -> float:
    """The share of the targets that are the token so many positions later; 0 of too few."""
    count = min(targets.shape[1], tokens.shape[1] - shift)
    valid = targets[:, :count] >= 0
    total = int(valid.sum())
    same = (targets[:, :count] == tokens[:, shift : shift + count]) & valid
    return int(same.sum()) / total if total >= FEWEST else 0.0
