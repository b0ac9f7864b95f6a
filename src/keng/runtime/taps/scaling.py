"""What is done to gradients between the backward and the step: a loss scale, and clipping."""

from __future__ import annotations

from typing import Any

from keng.runtime.bus import Bus
from keng.runtime.taps.patches import Patches

SCALER = ("scale", "unscale", "scaler_step", "scaler_step_end", "scaler_update")


def put_on(bus: Bus, patches: Patches) -> None:
    from torch.amp import GradScaler
    from torch.nn.utils import clip_grad

    if bus.wants(*SCALER):
        patches.put(GradScaler, "scale", _before(bus, GradScaler.scale, "scale"))
        patches.put(GradScaler, "unscale_", _before(bus, GradScaler.unscale_, "unscale"))
        patches.put(GradScaler, "update", _after(bus, GradScaler.update, "scaler_update"))
        patches.put(GradScaler, "step", _step(bus, GradScaler.step))
    # Under `clip_grad_norm_`, which programs import by name.
    if bus.wants("clip") and hasattr(clip_grad, "_clip_grads_with_norm_"):
        name = "_clip_grads_with_norm_"
        patches.put(clip_grad, name, _before(bus, getattr(clip_grad, name), "clip"))


def _before(bus: Bus, original: Any, event: str) -> Any:
    gate = bus.gate

    def tapped(*args: Any, **kwargs: Any) -> Any:
        if not gate.shut:
            bus.tell(event, *args[:3])
        return original(*args, **kwargs)

    return tapped


def _after(bus: Bus, original: Any, event: str) -> Any:
    gate = bus.gate

    def tapped(*args: Any, **kwargs: Any) -> Any:
        out = original(*args, **kwargs)
        if not gate.shut:
            bus.tell(event, args[0])
        return out

    return tapped


def _step(bus: Bus, original: Any) -> Any:
    gate = bus.gate

    def step(self: Any, optimizer: Any, *args: Any, **kwargs: Any) -> Any:
        if gate.shut:
            return original(self, optimizer, *args, **kwargs)
        bus.tell("scaler_step", self, optimizer)
        try:
            return original(self, optimizer, *args, **kwargs)
        finally:
            bus.tell("scaler_step_end", self, optimizer)

    return step
