"""What a rank tells of models that it trains without a wrapper: their gradients, after backward and as the
optimizer takes them. Whether the ranks have made them one in between, is seen side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import torch
from torch.nn import Module

from keng.model import Span
from keng.ranks import ByHand, Gradient
from keng.runtime.places import here
from keng.runtime.ranks import digests
from keng.runtime.ranks.parallel import is_parallel
from keng.runtime.ranks.part import Looks, Part
from keng.runtime.scene import Scene, aside

if TYPE_CHECKING:
    from torch import Tensor
    from torch.optim import Optimizer

Sums = dict[str, tuple["Tensor", ...]]


@dataclass(slots=True)
class Step:
    """A model before the step of its optimizer: for each name the digests and sums of the parameter, of
    its own gradient and of the one that is taken."""

    name: str
    optimizer: str
    where: Span | None
    sums: Sums
    numbers: dict[str, int]


class ByHands(Part):
    dozes = ("backward_end", "step")

    def __init__(self, scene: Scene, looks: Looks) -> None:
        super().__init__(scene, looks)
        self._own: WeakKeyDictionary[Module, Sums] = WeakKeyDictionary()
        self._steps: list[Step] = []

    def backward_end(self, _: Any, adds: bool) -> None:
        if not (adds and self.looks.now):
            return
        with aside():
            for model in list(self.scene.roots):
                if not any(map(is_parallel, model.modules())):
                    self._own[model] = {
                        name: (digests.digest(grad), _sum(grad), _sum(grad.abs()))
                        for name, _, grad in _gradients(model)
                    }

    def step(self, optimizer: Optimizer) -> None:
        held = {id(p) for group in optimizer.param_groups for p in group["params"]}
        for model, own in list(self._own.items()):
            with aside():
                taken = [
                    each for each in _gradients(model) if each[0] in own and id(each[1]) in held
                ]
                sums = {
                    name: (digests.digest(p.detach()), digests.digest(grad), *own[name], _sum(grad))
                    for name, p, grad in taken
                }
            if sums:
                name, kind = self.scene.module_name(model), type(optimizer).__name__
                numbers = {name: p.numel() for name, p, _ in taken}
                self._steps.append(Step(name, kind, here(), sums, numbers))
        self._own.clear()

    def draft(self) -> Callable[[], Mapping[str, Any]]:
        steps, self._steps = self._steps, []
        return lambda: {"by_hand": tuple(map(_read, steps))}


def _gradients(model: Module) -> Iterator[tuple[str, Tensor, Tensor]]:
    """The parameters that lie here whole, with their gradients."""
    for name, parameter in model.named_parameters():
        grad = parameter.grad
        if grad is not None and digests.is_whole(parameter) and digests.is_whole(grad):
            yield name, parameter, grad


def _sum(tensor: Tensor) -> Tensor:
    return tensor.sum(dtype=torch.float64)


def _read(step: Step) -> ByHand:
    columns = list(zip(*step.sums.values(), strict=True))
    parameter, taken, own = (digests.numbers(columns[at]) for at in (0, 1, 2))
    own_sum, size, taken_sum = (digests.numbers(columns[at]) for at in (3, 4, 5))
    rows = zip(parameter, own, taken, own_sum, taken_sum, size, step.numbers.values(), strict=True)
    gradients = dict(zip(step.sums, (Gradient(*row) for row in rows), strict=True))
    return ByHand(step.name, step.optimizer, step.where, gradients)
