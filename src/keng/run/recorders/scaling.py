"""What stands between the backward and the step: the loss scale and clipping."""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary, WeakValueDictionary, ref

from keng.run.events import (
    BackwardEnd,
    Clip,
    Scale,
    ScalerStep,
    ScalerStepEnd,
    ScalerUpdate,
    Step,
    StepEnd,
    Unscale,
)
from keng.run.frames import spoken
from keng.run.moments import ClippedGradients, LossScale, ScaledStep
from keng.run.optimizers import held_by
from keng.run.recorder import Recorder
from keng.run.state import Facts, RunState

EVERY = 100
"""On a device the scale is read so seldom: it has to be waited for."""
USUAL = 100.0
"""Bounds below it are such as gradients have that are not scaled."""


class Scaling(Recorder):
    provides = ("gradients.clipped", "step.scaled", "loss.scale")
    dormant = (Step, StepEnd, BackwardEnd)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.scaled = False  # a loss was scaled since the last update
        self.scaler: ref[Any] | None = None
        self.unscaled = False
        self.inside = False  # a GradScaler is stepping
        self.spent: set[int] = set()
        self.updates = 0
        self.optimizers: WeakValueDictionary[int, Any] = WeakValueDictionary()
        self.scales: WeakKeyDictionary[Any, tuple[float, int]] = WeakKeyDictionary()

    def scale(self, event: Scale) -> None:
        if event.scaler.is_enabled():
            self.scaled, self.scaler = True, ref(event.scaler)
        self.listen(*self.dormant)

    def backward_end(self, event: BackwardEnd) -> None:
        self.spent.clear()

    def unscale(self, event: Unscale) -> None:
        self.unscaled = True

    def scaler_step(self, event: ScalerStep) -> None:
        self.inside = True

    def scaler_step_end(self, event: ScalerStepEnd) -> None:
        self.inside = False

    def clip(self, event: Clip) -> None:
        self.listen(*self.dormant)
        scaled = self.scaled and not self.unscaled and not self._goes_along(float(event.max_norm))
        spent = bool(self.spent) and self._are_spent(event.parameters)
        moment = ClippedGradients(self.run.step, Facts(), float(event.max_norm), scaled, spent)
        self.run.show("gradients.clipped", moment)

    def step(self, event: Step) -> None:
        if self.scaled and not self.unscaled and not self.inside:
            name = spoken(event.optimizer)
            self.run.show("step.scaled", ScaledStep(self.run.step, Facts(), name))
        # What its closure clips is yet to be used.
        self.spent.discard(id(event.optimizer))

    def step_end(self, event: StepEnd) -> None:
        optimizer = event.optimizer
        self.spent.add(id(optimizer))
        self.optimizers[id(optimizer)] = optimizer

    def _goes_along(self, bound: float) -> bool:
        """Whether a bound is scaled as the gradients are."""
        scaler = self.scaler() if self.scaler is not None and bound >= USUAL else None
        return scaler is not None and bound >= scaler.get_scale() / USUAL

    def _are_spent(self, parameters: Any) -> bool:
        """Whether one of the optimizers that have stepped holds what is clipped."""
        first = id(next(iter(parameters), None)) if isinstance(parameters, (list, tuple)) else None
        stepped = [self.optimizers.get(key) for key in self.spent]
        return first in held_by(filter(None, stepped))

    def scaler_update(self, event: ScalerUpdate) -> None:
        scaler = event.scaler
        self.scaled = self.unscaled = False
        self.updates += 1
        held = getattr(scaler, "_scale", None)
        if held is None or (not held.is_cpu and self.updates % EVERY):
            return
        scale = float(held)
        before, times = self.scales.get(scaler, (scale, 0))
        times = times + (scale < before) if scale <= before else 0
        self.scales[scaler] = scale, times
        if scale < before:
            self.run.show("loss.scale", LossScale(self.run.step, Facts(), scale, times))
