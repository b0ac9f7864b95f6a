"""A running program: mixed precision takes its steps in a wrong order."""

from __future__ import annotations

from typing import Any
from weakref import ref

from keng.model import say
from keng.run.events import Clip, Scale, ScalerStep, ScalerStepEnd, ScalerUpdate, Step, Unscale
from keng.run.frames import spoken
from keng.run.recorder import Recorder
from keng.run.state import RunState

USUAL = 100.0
"""Bounds below it are such as gradients have that are not scaled."""


class ScaledGradients(Recorder):
    """Gradients that a GradScaler has scaled and not unscaled, where they are clipped or stepped on."""

    dormant = (Step,)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.scaled = False  # a loss was scaled since the last update
        self.unscaled = False
        self.scaler: ref[Any] | None = None
        self.in_scaler = False

    def scale(self, event: Scale) -> None:
        if event.scaler.is_enabled():
            self.scaled, self.scaler = True, ref(event.scaler)
        self.listen(Step)

    def unscale(self, event: Unscale) -> None:
        self.unscaled = True

    def scaler_step(self, event: ScalerStep) -> None:
        self.in_scaler = True

    def scaler_step_end(self, event: ScalerStepEnd) -> None:
        self.in_scaler = False

    def scaler_update(self, event: ScalerUpdate) -> None:
        self.scaled = self.unscaled = False

    def clip(self, event: Clip) -> None:
        bound = float(event.max_norm)
        if self.scaled and not self.unscaled and not self._is_scaled_too(bound):
            self.report(say("clips-scaled", norm=f"{bound:g}"))

    def step(self, event: Step) -> None:
        if self.scaled and not self.unscaled and not self.in_scaler:
            self.report(say("steps-past-scaler", optimizer=spoken(event.optimizer)))

    def _is_scaled_too(self, bound: float) -> bool:
        """Whether a bound is scaled as the gradients are."""
        scaler = self.scaler() if self.scaler is not None and bound >= USUAL else None
        return scaler is not None and bound >= scaler.get_scale() / USUAL
