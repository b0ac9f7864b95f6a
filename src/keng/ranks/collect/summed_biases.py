"""Biases that are added to an output before it is summed over the ranks."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from keng.model import Span
from keng.ranks.collect import digests
from keng.ranks.collect.section import Looks, Part
from keng.ranks.collect.split_losses import sums_over_ranks
from keng.ranks.reports import SummedBias
from keng.run.events import Backward
from keng.run.frames import here
from keng.run.state import RunState, unwatched
from keng.run.user_code import class_of, line

if TYPE_CHECKING:
    from torch import Tensor

NODES = 1 << 12
"""Of the graph of a loss."""
SHAPED = {"ViewBackward0", "UnsafeViewBackward0", "ReshapeAliasBackward0", "ToCopyBackward0"}


class SummedBiases(Part):
    dozes = (Backward,)

    def __init__(self, run: RunState, looks: Looks) -> None:
        super().__init__(run, looks)
        self._found: list[tuple[SummedBias, Tensor, Tensor]] = []

    def backward(self, event: Backward) -> None:
        if not event.accumulates:
            return
        self._found = []
        for node, bias, weight in _biases(event.outputs):
            if (name := self._name(bias)) and digests.is_whole(bias) and digests.is_whole(weight):
                found = SummedBias(name, 0, 0, _called_at(node) or here())
                with unwatched():
                    self._found.append((found, digests.digest(bias), digests.digest(weight)))

    def _name(self, parameter: Tensor) -> str:
        named = (each for model in self.run.roots for each in model.named_parameters())
        return next((name for name, p in named if p is parameter), "")

    def draft(self) -> Callable[[], Mapping[str, Any]]:
        found, self._found = self._found, []
        return lambda: {
            "summed_biases": tuple(
                each._replace(bias=int(bias), weight=int(weight)) for each, bias, weight in found
            )
        }


def _biases(outputs: list[Tensor]) -> Iterator[tuple[Any, Tensor, Tensor]]:
    """The functions of the program that sum over the ranks, each with the bias that its input ends with and
    the weight before it."""
    left: list[Any] = [each.grad_fn for each in outputs if each.grad_fn is not None]
    seen = set(left)
    while left and len(seen) < NODES:
        node = left.pop()
        if sums_over_ranks(node) and (found := _leaves(node.next_functions[0][0])):
            yield node, *found
        for each, _ in node.next_functions:
            if each is not None and each not in seen:
                seen.add(each)
                left.append(each)


def _leaves(node: Any) -> tuple[Tensor, Tensor] | None:
    """The bias and the weight of a linear layer."""
    while node is not None and node.name() in SHAPED:
        node = node.next_functions[0][0]
    if node is None or node.name() != "AddmmBackward0":
        return None
    bias, _, transposed = (each for each, _ in node.next_functions)
    weight = transposed.next_functions[0][0] if transposed is not None else None
    leaves = [getattr(each, "variable", None) for each in (bias, weight)]
    return (leaves[0], leaves[1]) if leaves[0] is not None and leaves[1] is not None else None


def _called_at(node: Any) -> Span | None:
    """The one line that applies a function of the program."""
    kind = node._forward_cls
    found = class_of(kind)
    if found is None:
        return None
    code, _ = found
    applied = f"{kind.__name__}.apply"
    calls = [call for call in code.of(ast.Call) if ast.unparse(call.func).endswith(applied)]
    return line(code, calls[0]) if len(calls) == 1 else None
