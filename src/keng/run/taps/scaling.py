"""What is done to gradients between the backward and the step: a loss scale, and clipping."""

from __future__ import annotations

from typing import Any

from keng.run.bus import Bus
from keng.run.events import Clip, Scale, ScalerStep, ScalerStepEnd, ScalerUpdate, Unscale
from keng.run.taps.patches import Patches

SCALER = (Scale, Unscale, ScalerStep, ScalerStepEnd, ScalerUpdate)


def put_on(bus: Bus, patches: Patches) -> None:
    from torch.amp import GradScaler

    if bus.wants(*SCALER):
        patches.put(GradScaler, "scale", _scale(bus, GradScaler.scale))
        patches.put(GradScaler, "unscale_", _unscale(bus, GradScaler.unscale_))
        patches.put(GradScaler, "update", _update(bus, GradScaler.update))
        patches.put(GradScaler, "step", _step(bus, GradScaler.step))
    if bus.wants(Clip):
        _clipping(bus, patches)


def _clipping(bus: Bus, patches: Patches) -> None:
    from torch.nn import utils

    owner, name = utils.clip_grad, "_clip_grads_with_norm_"
    if hasattr(owner, name):  # under `clip_grad_norm_`, which programs import by name
        patches.put(owner, name, _clip_with_norm(bus, getattr(owner, name)))
        return
    for place in (owner, utils):  # torch 2.4
        patches.put(place, "clip_grad_norm_", _clip(bus, place.clip_grad_norm_))


def _clip_with_norm(bus: Bus, original: Any) -> Any:
    gate = bus.gate

    def clip_grads_with_norm_(
        parameters: Any, max_norm: Any, total_norm: Any, *args: Any, **kwargs: Any
    ) -> Any:
        if not gate.shut:
            bus.dispatch(Clip, parameters, max_norm, total_norm)
        return original(parameters, max_norm, total_norm, *args, **kwargs)

    return clip_grads_with_norm_


def _clip(bus: Bus, original: Any) -> Any:
    gate = bus.gate

    def clip_grad_norm_(parameters: Any, max_norm: Any, *args: Any, **kwargs: Any) -> Any:
        several = hasattr(parameters, "__next__")  # which can be iterated only once
        parameters = list(parameters) if several else parameters
        total_norm = original(parameters, max_norm, *args, **kwargs)
        if not gate.shut:
            bus.dispatch(Clip, parameters, max_norm, total_norm)
        return total_norm

    return clip_grad_norm_


def _scale(bus: Bus, original: Any) -> Any:
    gate = bus.gate

    def scale(self: Any, outputs: Any) -> Any:
        if not gate.shut:
            bus.dispatch(Scale, self, outputs)
        return original(self, outputs)

    return scale


def _unscale(bus: Bus, original: Any) -> Any:
    gate = bus.gate

    def unscale_(self: Any, optimizer: Any) -> Any:
        if not gate.shut:
            bus.dispatch(Unscale, self, optimizer)
        return original(self, optimizer)

    return unscale_


def _update(bus: Bus, original: Any) -> Any:
    gate = bus.gate

    def update(self: Any, *args: Any, **kwargs: Any) -> Any:
        out = original(self, *args, **kwargs)
        if not gate.shut:
            bus.dispatch(ScalerUpdate, self)
        return out

    return update


def _step(bus: Bus, original: Any) -> Any:
    gate = bus.gate

    def step(self: Any, optimizer: Any, *args: Any, **kwargs: Any) -> Any:
        if gate.shut:
            return original(self, optimizer, *args, **kwargs)
        bus.dispatch(ScalerStep, self, optimizer)
        try:
            return original(self, optimizer, *args, **kwargs)
        finally:
            bus.dispatch(ScalerStepEnd, self, optimizer)

    return step
