"""What stands between the backward and the step: the loss scale and clipping."""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary, WeakValueDictionary, ref

from keng.run.bus import Recorder
from keng.run.frames import spoken
from keng.run.moments import ClippedGradients, LossScale, ScaledStep
from keng.run.optimizers import held_by
from keng.run.state import Facts, Scene

EVERY = 100
"""On a device the scale is read so seldom: it has to be waited for."""
USUAL = 100.0
"""Bounds below it are such as gradients have that are not scaled."""


class Scaling(Recorder):
    makes = ("gradients.clipped", "step.scaled", "loss.scale")
    rests = ("step", "step_end", "backward_end")

    def __init__(self, scene: Scene) -> None:
        super().__init__(scene)
        self.scaled = False  # a loss was scaled since the last update
        self.scaler: ref[Any] | None = None
        self.unscaled = False
        self.inside = False  # a GradScaler is stepping
        self.spent: set[int] = set()
        self.updates = 0
        self.optimizers: WeakValueDictionary[int, Any] = WeakValueDictionary()
        self.scales: WeakKeyDictionary[Any, tuple[float, int]] = WeakKeyDictionary()

    def scale(self, scaler: Any, outputs: Any) -> None:
        if scaler.is_enabled():
            self.scaled, self.scaler = True, ref(scaler)
        self.wake(*self.rests)

    def backward_end(self, outputs: Any, adds: bool) -> None:
        self.spent.clear()

    def unscale(self, scaler: Any, optimizer: Any) -> None:
        self.unscaled = True

    def scaler_step(self, scaler: Any, optimizer: Any) -> None:
        self.inside = True

    def scaler_step_end(self, scaler: Any, optimizer: Any) -> None:
        self.inside = False

    def clip(self, parameters: Any, max_norm: Any, total_norm: Any = None) -> None:
        self.wake(*self.rests)
        scaled = self.scaled and not self.unscaled and not self._goes_along(float(max_norm))
        spent = bool(self.spent) and self._are_spent(parameters)
        moment = ClippedGradients(self.scene.step, Facts(), float(max_norm), scaled, spent)
        self.scene.show("gradients.clipped", moment)

    def step(self, optimizer: Any) -> None:
        if self.scaled and not self.unscaled and not self.inside:
            name = spoken(optimizer)
            self.scene.show("step.scaled", ScaledStep(self.scene.step, Facts(), name))
        # What its closure clips is yet to be used.
        self.spent.discard(id(optimizer))

    def step_end(self, optimizer: Any) -> None:
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

    def scaler_update(self, scaler: Any) -> None:
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
            self.scene.show("loss.scale", LossScale(self.scene.step, Facts(), scale, times))
