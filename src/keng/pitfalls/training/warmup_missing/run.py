"""A running program: the first steps at the full rate ruin what was loaded."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any
from weakref import ref

from keng.model import say
from keng.run.events import Backward, StateLoaded, StepEnd
from keng.run.optimizers import held_by
from keng.run.recorder import Recorder
from keng.run.state import RunState, tensors_in

if TYPE_CHECKING:
    from torch.nn import Module

STEPS = 20
TIMES = 50
"""Batches differ, and losses near zero swing: this is far beyond either."""


class FirstSteps(Recorder):
    """Programs with one optimizer and one backward a step: of others a loss may rise for good."""

    dormant = (Backward, StepEnd)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.steps = 0
        self.loaded: ref[Module] | None = None
        self.losses: list[float] = []
        self.of_step = 0
        self.rates: set[float] = set()
        self.optimizers: set[int] = set()

    def state_loaded(self, event: StateLoaded) -> None:
        self.steps, self.losses, self.of_step = 0, [], 0
        self.loaded = ref(event.module)
        self.listen(Backward, StepEnd)
        self.rates.clear()
        self.optimizers.clear()

    def backward(self, event: Backward) -> None:
        if not event.accumulates:
            return
        loss = next(tensors_in(event.outputs), None)
        self.of_step += 1
        if loss is not None and loss.is_cpu and not loss.dim():
            self.losses.append(float(loss.detach()))

    def step_end(self, event: StepEnd) -> None:
        optimizer = event.optimizer
        self.steps += 1
        if self.steps >= STEPS:
            self.ignore(Backward, StepEnd)
        self.optimizers.add(id(optimizer))
        self.rates |= {float(group["lr"]) for group in optimizer.param_groups if "lr" in group}
        once, self.of_step = self.of_step == 1, 0
        if not once or len(self.optimizers) > 1 or not self._trains(optimizer):
            self.ignore(Backward, StepEnd)
        elif len(self.losses) > 1 and len(self.rates) == 1 and math.isfinite(self.losses[-1]):
            self._compare(self.losses[0], self.losses[-1], next(iter(self.rates)))

    def _compare(self, before: float, now: float, rate: float) -> None:
        if now > TIMES * before > 0:
            values = {"before": f"{before:.3g}", "now": f"{now:.3g}", "rate": f"{rate:g}"}
            self.report(say("loss-rose", steps=self.steps, **values))

    def _trains(self, optimizer: Any) -> bool:
        """Whether what was loaded is what learns: a copy that gives the goals is loaded again and again."""
        module = self.loaded() if self.loaded is not None else None
        own = {id(p) for p in module.parameters()} if module is not None else set()
        return not own.isdisjoint(held_by([optimizer]))
