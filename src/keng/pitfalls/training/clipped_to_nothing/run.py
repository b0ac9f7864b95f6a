"""A running program: every gradient is clipped to next to nothing."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from weakref import WeakSet, ref

import torch

from keng.model import say
from keng.run.events import Clip, NewOptimizer, Scale, Unscale
from keng.run.frames import spoken
from keng.run.optimizers import holds
from keng.run.recorder import Recorder
from keng.run.state import RunState, unwatched

if TYPE_CHECKING:
    from torch import Tensor
    from torch.optim import Optimizer

STEPS = 50
MANY = 64
"""Groups of parameters that are clipped by themselves."""
TIMES = 100
NOTHING = 1e-4
"""Of the weights' norm: a thousand steps in one direction go a tenth of it."""


@dataclass(slots=True)
class Bound:
    """Of the parameters of which `first` is the first one: the norms since the last look."""

    first: ref[Tensor]
    largest: float = 0.0
    norms: list[Tensor] = field(default_factory=list)


class ClippedNorms(Recorder):
    """Norms are read once in fifty steps, so that a device is waited for as seldom."""

    sampled = (Clip,)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.bounds: dict[int, Bound] = {}
        self.optimizers: WeakSet[Any] = WeakSet()
        self.scaled = False

    def scale(self, event: Scale) -> None:
        self.scaled = bool(event.scaler.is_enabled())

    def unscale(self, event: Unscale) -> None:
        self.scaled = False

    def new_optimizer(self, event: NewOptimizer) -> None:
        self.optimizers.add(event.optimizer)

    def clip(self, event: Clip) -> None:
        parameters = event.parameters
        known = isinstance(parameters, list) and parameters
        if self.scaled or type(event.total_norm) is not torch.Tensor or not known:
            return
        first = parameters[0]
        bound = self.bounds.get(id(first))
        if bound is None or bound.first() is not first:
            if len(self.bounds) == MANY:
                self.bounds.clear()
            bound = self.bounds[id(first)] = Bound(ref(first))
        bound.largest = max(bound.largest, float(event.max_norm))
        bound.norms.append(event.total_norm)
        if len(bound.norms) == STEPS:
            self._look(bound, parameters)
            self.bounds[id(first)] = Bound(ref(first))

    def _look(self, bound: Bound, parameters: list[Any]) -> None:
        owner = next((each for each in self.optimizers if holds(each, parameters[0])), None)
        if owner is None:
            return
        with unwatched():
            least = float(torch.stack(bound.norms).min())
        if bound.largest == 0 < least:
            self.report(say("clips-to-zero"), steps=STEPS)
        elif type(owner).__name__ == "SGD" and 0 < TIMES * bound.largest < least:
            self._report_tiny(owner, parameters, bound.largest, least)

    def _report_tiny(
        self, optimizer: Optimizer, parameters: list[Any], bound: float, least: float
    ) -> None:
        moves = _relative_move(optimizer, parameters, bound)
        if moves > NOTHING:
            return
        norms = {"least": f"{least:.3g}", "bound": f"{bound:g}", "moves": f"{moves:.1e}"}
        says = say("clips-far-below", steps=STEPS, optimizer=spoken(optimizer), **norms)
        self.report(says, steps=STEPS, norm=least)


def _relative_move(optimizer: Optimizer, parameters: list[Any], bound: float) -> float:
    """How far gradient descent with its momentum goes in a step at most, relative to the norm of the
    weights."""
    settings = optimizer.param_groups
    pace = max(float(g["lr"]) / (1 - min(g.get("momentum", 0), 0.999)) for g in settings)
    with unwatched():
        norms = torch._foreach_norm([p.data for p in parameters])
        weights = float(torch.stack([norm.float() for norm in norms]).norm())
    return pace * bound / weights if weights else float("inf")
