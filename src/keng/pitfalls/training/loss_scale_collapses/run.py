"""A running program: the loss scale falls step by step, and every step is skipped."""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

from keng.model import say
from keng.run.events import ScalerUpdate
from keng.run.recorder import Recorder
from keng.run.state import RunState

EVERY = 100
"""On a device the scale is read so seldom: reading it waits for the device."""
LOWEST = 1.0
"""Below this the loss is made smaller, which is no help against gradients that are too small."""
TIMES = 8


class LossScales(Recorder):
    """How often in a row a GradScaler has reduced its scale without increasing it."""

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.updates = 0
        self.scales: WeakKeyDictionary[Any, tuple[float, int]] = WeakKeyDictionary()

    def scaler_update(self, event: ScalerUpdate) -> None:
        self.updates += 1
        held = getattr(event.scaler, "_scale", None)
        if held is None or (not held.is_cpu and self.updates % EVERY):
            return
        scale = float(held)
        before, times = self.scales.get(event.scaler, (scale, 0))
        times = times + (scale < before) if scale <= before else 0
        self.scales[event.scaler] = scale, times
        if scale < before and scale < LOWEST and times >= TIMES:
            says = say("scale-has-fallen", scale=f"{scale:.1e}", times=times)
            # The steps of the optimizer are skipped, and not counted.
            self.report(says, step=max(self.run.step, self.updates), scale=scale)
