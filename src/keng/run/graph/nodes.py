"""Nodes of autograd's graphs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from torch import Tensor

MOST = 5_000
LEAF = "torch::autograd::AccumulateGrad"
PRODUCTS = ("Mm", "Addmm", "Bmm", "Baddbmm", "Convolution")
"""What the names of matrix products and convolutions begin with."""


def nodes_of(tensors: Iterable[Tensor], most: int = MOST) -> Iterator[Any]:
    """All nodes behind tensors, leaves too; no more than so many."""
    waiting: list[Any] = [tensor.grad_fn for tensor in tensors]
    seen: set[Any] = set()
    while waiting and len(seen) < most:
        node = waiting.pop()
        if node is not None and node not in seen:
            seen.add(node)
            yield node
            waiting.extend(after for after, _ in node.next_functions)


def made_by(node: Any) -> tuple[Any, ...]:
    """Shape and type of each tensor that an operation has made; nothing where torch (2.4) tells none."""
    return tuple(getattr(node, "_input_metadata", ()))


def dtype_of(node: Any) -> Any:
    """Of what an operation has made."""
    made = made_by(node)
    return made[0].dtype if made else None
