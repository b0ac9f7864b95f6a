"""Nodes of autograd's graphs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from torch import Tensor

MOST = 5_000
LEAF = "torch::autograd::AccumulateGrad"
PRODUCTS = ("Mm", "Addmm", "Bmm", "Baddbmm", "Convolution")
"""What the names of matrix products and convolutions begin with."""


def nodes_of(output: Tensor) -> Iterator[Any]:
    """All nodes behind a tensor, leaves too; no more than MOST."""
    waiting: list[Any] = [output.grad_fn]
    seen: set[Any] = set()
    while waiting and len(seen) < MOST:
        node = waiting.pop()
        if node is not None and node not in seen:
            seen.add(node)
            yield node
            waiting.extend(after for after, _ in node.next_functions)


def dtype_of(node: Any) -> Any:
    """Of what an operation has made."""
    made = node._input_metadata
    return made[0].dtype if made else None
