"""Losses that choose among candidates which the ranks have gathered: which one the labels mean."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import torch
import torch.distributed as dist

from keng.ranks.collect import digests
from keng.ranks.collect.section import Looks, Part
from keng.ranks.reports import CHOSEN, Choice
from keng.run.events import LossEnd, StepEnd
from keng.run.frames import here
from keng.run.state import RunState, unwatched

if TYPE_CHECKING:
    from torch import Tensor

LONGEST = 6
"""Operations between the product and the loss."""
KEEPS = {"MulBackward0", "DivBackward0", "ToCopyBackward0", "AddBackward0", "SubBackward0"}
PRODUCTS = {"MmBackward0"}


class Candidates(Part):
    """Of cross entropies whose labels count from 0, over as many classes as all ranks have rows."""

    dozes = (LossEnd, StepEnd)

    def __init__(self, run: RunState, looks: Looks) -> None:
        super().__init__(run, looks)
        self._made = 0
        self._found: deque[tuple[Choice, Tensor, Tensor]] = deque(maxlen=CHOSEN)

    def step_end(self, event: StepEnd) -> None:
        self._made = self.looks.made

    def loss_end(self, event: LossEnd) -> None:
        scores, labels, *_ = (*event.args, None, None)
        if event.function != "cross_entropy" or not event.output.requires_grad:
            return
        if self.looks.made == self._made or not _count_from_0(scores, labels):
            return
        rows, columns = scores.shape
        product = _product(scores.grad_fn)
        if columns == rows * dist.get_world_size() and product is not None:
            with unwatched():
                one, other = product._saved_self, product._saved_mat2
                sums = digests.projection(one), digests.projection(other)
            self._found.append((Choice(0.0, 0.0, rows, here()), *sums))

    def draft(self) -> Callable[[], Mapping[str, Any]]:
        found = tuple(self._found)
        return lambda: {
            "choices": tuple(
                each._replace(asks=float(asks), offers=float(offers))
                for each, asks, offers in found
            )
        }


def _count_from_0(scores: Any, labels: Any) -> bool:
    if not (digests.is_tensor(scores) and digests.is_tensor(labels)):
        return False
    if scores.dim() != 2 or labels.dim() != 1 or labels.is_floating_point():
        return False
    with unwatched():
        return bool((labels == torch.arange(len(labels), device=labels.device)).all())


def _product(node: Any) -> Any:
    """The product of two matrices that scores are, but for what all of them are multiplied by."""
    for _ in range(LONGEST):
        if node is None or node.name() in PRODUCTS:
            return node
        if node.name() not in KEEPS:
            return None
        node = node.next_functions[0][0] or node.next_functions[1][0]
    return None
