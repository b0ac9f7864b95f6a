"""Operations that make NaN or infinity of finite numbers, and what their inputs must have been."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch

from keng.model import Message, say

if TYPE_CHECKING:
    from torch import Tensor

Test = Callable[["Tensor"], "Tensor"]


@dataclass(frozen=True, slots=True)
class Edge:
    """`operand` counts the inputs; `outside` marks elements at or over the edge; `says` takes the
    first such value, and gives a message of nan-loss. `saved` is the name of the operand in the
    operation's autograd node."""

    operand: int
    outside: Test
    says: Callable[[float], Message]
    cause: str = "domain"
    saved: str = "_saved_self"


def _zero(x: Tensor) -> Tensor:
    return x == 0


def _negative(x: Tensor) -> Tensor:
    return x < 0


def _not_positive(x: Tensor) -> Tensor:
    return x <= 0


def _over_one(x: Tensor) -> Tensor:
    return x.abs() > 1


def _large(x: Tensor) -> Tensor:
    return x.exp() > torch.finfo(x.dtype).max


def _function(name: str) -> Callable[[float], Message]:
    return lambda value: say("function-of", function=name, value=f"{value:g}")


def _power(exponent: float) -> Callable[[float], Message]:
    return lambda value: say("power-of", value=f"{value:g}", exponent=f"{exponent:g}")


def _division(value: float) -> Message:
    return say("division-by-zero")


def _overflow(value: float) -> Message:
    return say("exp-too-large", value=f"{value:g}")


EDGES: dict[str, tuple[Edge, ...]] = {
    "log": (Edge(0, _not_positive, _function("log")),),
    "log2": (Edge(0, _not_positive, _function("log2")),),
    "log10": (Edge(0, _not_positive, _function("log10")),),
    "log1p": (Edge(0, lambda x: x <= -1, _function("log1p")),),
    "sqrt": (Edge(0, _negative, _function("sqrt"), saved="_saved_result"),),
    "rsqrt": (Edge(0, _not_positive, _function("rsqrt"), saved="_saved_result"),),
    "reciprocal": (Edge(0, _zero, _division, saved="_saved_result"),),
    "div": (Edge(1, _zero, _division, saved="_saved_other"),),
    "acos": (Edge(0, _over_one, _function("acos")),),
    "asin": (Edge(0, _over_one, _function("asin")),),
    "atanh": (Edge(0, lambda x: x.abs() >= 1, _function("atanh")),),
    "logit": (Edge(0, lambda x: (x <= 0) | (x >= 1), _function("logit")),),
    "exp": (Edge(0, _large, _overflow, "overflow", ""),),
}
MASKS = {
    "_to_copy", "add", "clone", "fill", "full", "full_like", "masked_fill", "new_full", "scalar_tensor",
    "sub", "tril", "triu", "where",
}  # fmt: skip
"""Operations that put -inf on purpose, or hand it on: attention masks."""


def edges_of(name: str, exponent: Any = None) -> tuple[Edge, ...]:
    """Those of an operation; of a power, those that its exponent makes."""
    if name != "pow":
        return EDGES.get(name, ())
    if not isinstance(exponent, (int, float)):
        return ()
    says = _power(exponent)
    root = (Edge(0, _negative, says),) if exponent % 1 else ()
    return (*root, Edge(0, _zero, says)) if exponent < 0 else root


def edge_of(name: str, operands: list[Any]) -> tuple[Edge, Tensor] | None:
    """The edge that an operation was at, and the elements of its operand that were."""
    exponent = operands[1] if len(operands) > 1 else None
    for edge in edges_of(name, exponent):
        operand = operands[edge.operand] if edge.operand < len(operands) else None
        if isinstance(operand, (int, float)):
            operand = torch.tensor(float(operand))
        if isinstance(operand, torch.Tensor) and (outside := edge.outside(operand)).any():
            return edge, outside
    return None
