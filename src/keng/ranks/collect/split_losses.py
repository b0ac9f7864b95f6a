"""Losses of one batch that ranks compute together, from sums over the ranks of what each has of an output."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import torch

from keng.model import Span
from keng.ranks.collect import digests
from keng.ranks.collect.section import Looks, Part
from keng.ranks.reports import SPLIT, SplitLoss
from keng.run.events import Backward, Forward, ForwardEnd
from keng.run.frames import here
from keng.run.state import RunState, unwatched

if TYPE_CHECKING:
    from torch import Tensor

NODES = 256
"""Of the graph of a loss, above the output of the model."""
SUMS = {"all_reduce", "all_reduce_coalesced"}


class SplitLosses(Part):
    dozes = (Forward, ForwardEnd, Backward)

    def __init__(self, run: RunState, looks: Looks) -> None:
        super().__init__(run, looks)
        self._fed: Tensor | None = None
        self._outputs: list[Any] = []
        self._steps: deque[tuple[Tensor, Tensor, Span | None]] = deque(maxlen=SPLIT)

    def forward(self, event: Forward) -> None:
        whole = [each for each in event.inputs if digests.is_whole(each)]
        self._fed, self._outputs = None, []
        if event.module.training and whole:
            with unwatched():
                self._fed = torch.stack([digests.digest(each).cpu() for each in whole]).sum()

    def forward_end(self, event: ForwardEnd) -> None:
        self._outputs = [each.grad_fn for each in event.outputs if each.grad_fn is not None]

    def backward(self, event: Backward) -> None:
        fed, self._fed = self._fed, None
        if fed is None or not event.accumulates or len(event.outputs) != 1:
            return
        loss = event.outputs[0]
        if loss.numel() == 1 and self._outputs and _is_of_sums(loss.grad_fn, self._outputs):
            with unwatched():
                self._steps.append((fed, loss.detach().double().reshape(()), here()))

    def draft(self) -> Callable[[], Mapping[str, Any]]:
        steps = tuple(self._steps)
        return lambda: {
            "split_losses": tuple(SplitLoss(int(fed), float(v), where) for fed, v, where in steps)
        }


def _is_of_sums(loss: Any, outputs: list[Any]) -> bool:
    """Whether a function of the program that sums over the ranks is between the outputs and the loss."""
    left, seen = [loss], set(outputs)
    while left and len(seen) < NODES:
        node = left.pop()
        if node is None or node in seen:
            continue
        seen.add(node)
        if sums_over_ranks(node):
            return True
        left += [each for each, _ in node.next_functions]
    return False


def sums_over_ranks(node: Any) -> bool:
    """Whether it is a function of Python whose forward sums over the ranks."""
    forward = getattr(getattr(node, "_forward_cls", None), "forward", None)
    return bool(SUMS & set(getattr(getattr(forward, "__code__", None), "co_names", ())))
