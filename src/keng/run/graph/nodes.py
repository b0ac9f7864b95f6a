"""Nodes of autograd's graphs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from keng.run.state import MARK

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Module

MOST = 5_000
LEAF = "torch::autograd::AccumulateGrad"
SEEN_THROUGH = ("Squeeze", "View", "Reshape", "Clone", "Alias")
"""Views that leave the elements in their order. `unsqueeze` is none of them: who writes it means pairs."""
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
    """Shape and dtype of each tensor that an operation has made; empty where torch (2.4) does not say."""
    return tuple(getattr(node, "_input_metadata", ()))


def dtype_of(node: Any) -> Any:
    """Of what an operation has made."""
    made = made_by(node)
    return made[0].dtype if made else None


def output_of(node: Any) -> Any:
    """The module whose output a node is, or None."""
    mark = node.metadata.get(MARK)
    return mark.module() if mark is not None and mark.output and mark.module is not None else None


def module_behind(node: Any) -> Any:
    """The module whose output a node is, apart from views; or None."""
    while node is not None:
        module = output_of(node)
        if module is not None or not node.name().startswith(SEEN_THROUGH):
            return module
        node = node.next_functions[0][0]
    return None


def computes_a_loss(inside: Module | None) -> bool:
    """Whether operations of no module, or of this one, are of the loss: a criterion has no parameters."""
    return inside is None or next(inside.parameters(), None) is None
