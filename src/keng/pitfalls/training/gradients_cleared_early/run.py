"""A running program: gradients are cleared between the backward and the step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary, ref

from keng.model import Hits, Span, say
from keng.rules import watches
from keng.run.events import (
    BackwardEnd,
    Clip,
    NewOptimizer,
    Paused,
    ScalerStep,
    Step,
    StepEnd,
    ZeroGrad,
)
from keng.run.facts.optimizer_coverage import ClearedGradients
from keng.run.frames import called_by_user, here, spoken
from keng.run.optimizers import holds, parameters_of
from keng.run.recorder import Recorder
from keng.run.state import RunState, unwatched
from keng.run.user_code import reads_gradients

if TYPE_CHECKING:
    from torch import Tensor

UNTIL = 12
"""Steps of an optimizer that are checked."""
TIMES = 3


@dataclass(slots=True)
class Clearing:
    """Of what a backward has just made, by a line that clears it."""

    of: ref[Tensor]
    place: Span | None
    rounds: int = 1


class DroppedGradients(Recorder):
    """A critic's gradients that come from the generator's loss are cleared as well: there the generator
    has stepped in between, or its own gradients are there still. What is checked, clipped or scaled was
    of use, and so was what has moved a parameter by hand."""

    dormant = (BackwardEnd, ZeroGrad, Clip, ScalerStep, Step, StepEnd)
    sampled = dormant

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.steps: WeakKeyDictionary[Any, int] = WeakKeyDictionary()
        self.times: WeakKeyDictionary[Any, int] = WeakKeyDictionary()
        self.clearing: Clearing | None = None
        self.versions: dict[int, int] | None = None
        self.made = False
        self.stepping = False

    def new_optimizer(self, event: NewOptimizer) -> None:
        self.steps[event.optimizer] = 0
        self.listen(*self.dormant)

    def backward_end(self, event: BackwardEnd) -> None:
        if event.accumulates and not self.stepping:
            self.made = True
            self.versions = {id(p): p._version for p in self._trained() if p.grad is not None}

    def clip(self, event: Clip) -> None:
        self.versions = None

    def scaler_step(self, event: ScalerStep) -> None:
        self.versions = None

    def paused(self, event: Paused) -> None:
        self.versions = self.clearing = None
        self.made = False

    def zero_grad(self, event: ZeroGrad) -> None:
        made = self.versions
        if not made or self.stepping or not called_by_user():
            return
        own = {id(p): p for p in parameters_of(event.owner) if p.grad is not None}
        if not own or any(p.grad is not None and id(p) not in own for p in self._trained()):
            return
        self.versions, self.made = None, False
        if any(own[key]._version != made[key] for key in own.keys() & made.keys()):
            return
        if self.clearing is not None and self.clearing.place == here():
            self.clearing.rounds += 1
        else:
            self.clearing = Clearing(ref(next(iter(own.values()))), here())

    def step(self, event: Step) -> None:
        optimizer = event.optimizer
        self.stepping = True
        self.steps[optimizer] = self.steps.get(optimizer, 0) + 1
        clearing, self.clearing = self.clearing, None
        made, self.made, self.versions = self.made, False, None
        of = clearing.of() if clearing is not None else None
        if clearing is None or of is None or not made or not holds(optimizer, of):
            self.times.pop(optimizer, None)
        else:
            self._count(optimizer, clearing)
        if all(count >= UNTIL for count in self.steps.values()):
            self.ignore(*self.dormant)

    def step_end(self, event: StepEnd) -> None:
        self.stepping = False

    def _count(self, optimizer: Any, clearing: Clearing) -> None:
        times = self.times[optimizer] = self.times.get(optimizer, 0) + 1
        with unwatched():
            if times != TIMES or reads_gradients():
                return
            says = say("cleared-unused", optimizer=spoken(optimizer))
            self.report(says, where=clearing.place, steps=TIMES, rounds=clearing.rounds)

    def _trained(self) -> list[Tensor]:
        return [p for optimizer in self.steps for p in parameters_of(optimizer)]


@watches(ClearedGradients)
def nothing_left_to_step_on(fact: ClearedGradients) -> Hits:
    says = say("cleared-before-steps", optimizer=fact.optimizer, steps=fact.steps)
    yield fact.hit(says, where=fact.where, steps=fact.steps)
