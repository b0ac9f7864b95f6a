"""What is done to gradients between the backward and the step: a loss scale, and clipping."""

from __future__ import annotations

from typing import Any

from keng.run.bus import Bus
from keng.run.taps.patches import Patches

SCALER = ("scale", "unscale", "scaler_step", "scaler_step_end", "scaler_update")


def put_on(bus: Bus, patches: Patches) -> None:
    from torch.amp import GradScaler

    if bus.wants(*SCALER):
        patches.put(GradScaler, "scale", _before(bus, GradScaler.scale, "scale"))
        patches.put(GradScaler, "unscale_", _before(bus, GradScaler.unscale_, "unscale"))
        patches.put(GradScaler, "update", _after(bus, GradScaler.update, "scaler_update"))
        patches.put(GradScaler, "step", _step(bus, GradScaler.step))
    if bus.wants("clip"):
        _clipping(bus, patches)


def _clipping(bus: Bus, patches: Patches) -> None:
    from torch.nn import utils

    owner, name = utils.clip_grad, "_clip_grads_with_norm_"
    if hasattr(owner, name):  # under `clip_grad_norm_`, which programs import by name
        patches.put(owner, name, _before(bus, getattr(owner, name), "clip"))
        return
    for place in (owner, utils):  # torch 2.4
        patches.put(place, "clip_grad_norm_", _clip(bus, place.clip_grad_norm_))


def _clip(bus: Bus, original: Any) -> Any:
    gate = bus.gate

    def clip_grad_norm_(parameters: Any, max_norm: Any, *args: Any, **kwargs: Any) -> Any:
        several = hasattr(parameters, "__next__")  # which can be gone through only once
        parameters = list(parameters) if several else parameters
        total_norm = original(parameters, max_norm, *args, **kwargs)
        if not gate.shut:
            bus.tell("clip", parameters, max_norm, total_norm)
        return total_norm

    return clip_grad_norm_


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
