"""What a rank does to its shards of the gradients between backward and the step: it multiplies them by the
same factor as all ranks, where it clips them by the norm of them all."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import torch
from torch.nn import Module

from keng.ranks.collect import digests
from keng.ranks.collect.section import Looks, Part
from keng.ranks.reports import Scaled
from keng.run.events import BackwardEnd, Step
from keng.run.frames import here
from keng.run.state import RunState, unwatched

if TYPE_CHECKING:
    from torch import Tensor

    from keng.model import Span

Sums = tuple["Tensor", "Tensor"]


class Shards(Part):
    """Two sums of each model's shards: of absolute values and of squares. By one factor both change alike."""

    dozes = (BackwardEnd, Step)

    def __init__(self, run: RunState, looks: Looks) -> None:
        super().__init__(run, looks)
        self._own: WeakKeyDictionary[Module, Sums] = WeakKeyDictionary()
        self._taken: dict[str, tuple[Sums, Sums, Span | None]] = {}

    def backward_end(self, event: BackwardEnd) -> None:
        if event.accumulates and self.looks.now:
            for model in list(self.run.roots):
                with unwatched():
                    sums = _sums(model)
                if sums is not None:
                    self._own[model] = sums

    def step(self, event: Step) -> None:
        for model, own in list(self._own.items()):
            with unwatched():
                taken = _sums(model)
            if taken is not None:
                self._taken[self.run.module_name(model)] = own, taken, here()
        self._own.clear()

    def draft(self) -> Callable[[], Mapping[str, Any]]:
        taken, self._taken = self._taken, {}

        def read() -> Mapping[str, Any]:
            return {"scaled": {name: _scaled(*each) for name, each in taken.items()}}

        return read


def _scaled(own: Sums, taken: Sums, where: Span | None) -> Scaled:
    size, squares, new_size, new_squares = digests.numbers([*own, *taken])
    return Scaled(size, squares, new_size, new_squares, where)


def _sums(model: Module) -> Sums | None:
    grads = [grad for grad in _shards(model) if grad.numel()]
    if not grads:
        return None
    sizes = torch.stack([grad.abs().sum(dtype=torch.float64) for grad in grads])
    squares = torch.stack([grad.double().square().sum() for grad in grads])
    return sizes.sum(), squares.sum()


def _shards(model: Module) -> Iterator[Tensor]:
    """The gradients of which each rank holds a part."""
    for parameter in model.parameters():
        grad: Any = parameter.grad
        if hasattr(grad, "device_mesh") and any(place.is_shard() for place in grad.placements):
            yield grad.to_local()
