"""Losses in the first steps after weights were loaded."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any
from weakref import ref

from keng.run.bus import Recorder
from keng.run.moments import RisenLoss
from keng.run.optimizers import held_by
from keng.run.state import Facts, Scene, tensors_in

if TYPE_CHECKING:
    from torch.nn import Module

STEPS = 20


class FirstSteps(Recorder):
    """Programs with one optimizer and one backward a step: of others a loss may rise for good."""

    makes = ("loss.rose",)
    rests = ("backward", "step_end")

    def __init__(self, scene: Scene) -> None:
        super().__init__(scene)
        self.steps = 0
        self.loaded: ref[Module] | None = None
        self.losses: list[float] = []
        self.of_step = 0
        self.rates: set[float] = set()
        self.optimizers: set[int] = set()

    def state_loaded(self, module: Any, strict: bool, result: Any) -> None:
        self.steps, self.losses, self.of_step = 0, [], 0
        self.loaded = ref(module)
        self.wake("backward", "step_end")
        self.rates.clear()
        self.optimizers.clear()

    def backward(self, outputs: Any, adds: bool) -> None:
        if not adds:
            return
        loss = next(tensors_in(outputs), None)
        self.of_step += 1
        if loss is not None and loss.is_cpu and not loss.dim():
            self.losses.append(float(loss.detach()))

    def step_end(self, optimizer: Any) -> None:
        self.steps += 1
        if self.steps >= STEPS:
            self.rest("backward", "step_end")
        self.optimizers.add(id(optimizer))
        self.rates |= {float(group["lr"]) for group in optimizer.param_groups if "lr" in group}
        once, self.of_step = self.of_step == 1, 0
        if not once or len(self.optimizers) > 1 or not self._trains(optimizer):
            self.rest("backward", "step_end")
        elif len(self.losses) > 1 and len(self.rates) == 1 and math.isfinite(self.losses[-1]):
            before, now = self.losses[0], self.losses[-1]
            rate = next(iter(self.rates))
            moment = RisenLoss(self.scene.step, Facts(), before, now, rate, self.steps)
            self.scene.show("loss.rose", moment)

    def _trains(self, optimizer: Any) -> bool:
        """Whether what was loaded is what learns: a copy that gives the goals is loaded again and again."""
        module = self.loaded() if self.loaded is not None else None
        own = {id(p) for p in module.parameters()} if module is not None else set()
        return not own.isdisjoint(held_by([optimizer]))
