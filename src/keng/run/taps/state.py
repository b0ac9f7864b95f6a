"""Checkpoints that are read, states that are restored from them, and what else a module is put into."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from keng.run.bus import Bus
from keng.run.events import (
    AverageUpdated,
    CheckpointLoaded,
    ModuleMoved,
    StateLoaded,
    StateLoading,
    StateRestored,
    StateRestoring,
    StateTaken,
    TensorsSaved,
    TrainModeSet,
)
from keng.run.taps.patches import Patches


def put_on(bus: Bus, patches: Patches) -> None:
    import torch
    from torch.nn import Module

    if bus.wants(AverageUpdated):
        from torch.optim.swa_utils import AveragedModel

        original = AveragedModel.update_parameters
        patches.put(AveragedModel, "update_parameters", _update_parameters(bus, original))
    if bus.wants(StateTaken, TensorsSaved):
        late = partial(_put_on_safetensors, bus, patches) if bus.wants(TensorsSaved) else None
        patches.put(Module, "state_dict", _state_dict(bus, Module.state_dict, late))
    if bus.wants(StateLoaded, StateLoading):
        patches.put(Module, "load_state_dict", _load_state_dict(bus, Module.load_state_dict))
    if bus.wants(CheckpointLoaded):
        patches.put(torch, "load", _load(bus, torch.load))
    if bus.wants(StateRestored, StateRestoring):
        for owner in _restorable():
            patches.put(owner, "load_state_dict", _restore(bus, owner.load_state_dict))
    if bus.wants(TrainModeSet):
        patches.put(Module, "train", _train(bus, Module.train))
    if bus.wants(ModuleMoved):
        patches.put(Module, "_apply", _apply(bus, Module._apply))


FLATTENS = ("_flatten_as_ptr", "_flatten")
"""What `save_file` of safetensors hands its tensors to, in 0.8 and before. Libraries import `save_file` by
its name, so it cannot be replaced late."""


def _put_on_safetensors(bus: Bus, patches: Patches) -> bool:
    """Whether safetensors has been imported, which happens before a model's state is taken to be saved."""
    module = sys.modules.get("safetensors.torch")
    for name in FLATTENS if module is not None else ():
        if hasattr(module, name):
            patches.put(module, name, _flatten(bus, getattr(module, name)))
    return module is not None


def _restorable() -> tuple[Any, ...]:
    from torch.amp import GradScaler
    from torch.optim import Optimizer
    from torch.optim.lr_scheduler import LRScheduler, ReduceLROnPlateau

    schedulers = {LRScheduler, ReduceLROnPlateau, *_kinds_of(LRScheduler)}
    own = (kind for kind in schedulers if "load_state_dict" in vars(kind))
    return (Optimizer, GradScaler, *own)


def _kinds_of(kind: Any) -> Iterator[Any]:
    """Some restore themselves without a word to what they are made from: LambdaLR, SequentialLR."""
    for inner in kind.__subclasses__():
        yield inner
        yield from _kinds_of(inner)


def _update_parameters(bus: Bus, original: Any) -> Any:
    gate = bus.gate

    def update_parameters(self: Any, model: Any) -> None:
        original(self, model)
        if not gate.shut:
            bus.dispatch(AverageUpdated, self)

    return update_parameters


def _state_dict(bus: Bus, original: Any, late: Callable[[], bool] | None) -> Any:
    gate = bus.gate

    def state_dict(self: Any, *args: Any, **kwargs: Any) -> Any:
        nonlocal late
        result = original(self, *args, **kwargs)
        # A module puts its parts' into its own.
        if not args and kwargs.get("destination") is None and not gate.shut:
            if late is not None and late():
                late = None
            bus.dispatch(StateTaken, self, result)
        return result

    return state_dict


def _load_state_dict(bus: Bus, original: Any) -> Any:
    gate = bus.gate

    def load_state_dict(
        self: Any, state_dict: Any, strict: bool = True, *args: Any, **kwargs: Any
    ) -> Any:
        if not gate.shut:
            bus.dispatch(StateLoading, self, state_dict)
        result = original(self, state_dict, strict, *args, **kwargs)
        if not gate.shut:
            bus.dispatch(StateLoaded, self, strict, result)
        return result

    return load_state_dict


def _train(bus: Bus, original: Any) -> Any:
    gate = bus.gate

    def train(self: Any, mode: bool = True) -> Any:
        if type(self).train is not train and not gate.shut:
            bus.dispatch(TrainModeSet, self, mode)
        return original(self, mode)

    return train


def _load(bus: Bus, original: Any) -> Any:
    gate = bus.gate

    def load(f: Any, map_location: Any = None, *args: Any, **kwargs: Any) -> Any:
        result = original(f, map_location, *args, **kwargs)
        if not gate.shut:
            bus.dispatch(CheckpointLoaded, map_location is not None, result)
        return result

    return load


def _flatten(bus: Bus, original: Any) -> Any:
    gate = bus.gate

    def flatten(tensors: Any, *args: Any, **kwargs: Any) -> Any:
        result = original(tensors, *args, **kwargs)
        if not gate.shut:
            bus.dispatch(TensorsSaved, tensors)
        return result

    return flatten


def _restore(bus: Bus, original: Any) -> Any:
    gate = bus.gate

    def load_state_dict(self: Any, *args: Any, **kwargs: Any) -> Any:
        if not gate.shut:
            state = args[0] if args else kwargs.get("state_dict")
            bus.dispatch(StateRestoring, self, state)
        result = original(self, *args, **kwargs)
        if not gate.shut:
            bus.dispatch(StateRestored, self)
        return result

    return load_state_dict


def _apply(bus: Bus, original: Any) -> Any:
    gate = bus.gate

    def _apply(self: Any, *args: Any, **kwargs: Any) -> Any:
        if gate.shut or gate.inside:
            return original(self, *args, **kwargs)
        # Its parts are moved by the same call.
        gate.inside = True
        before = [p.data_ptr() for p in self.parameters()]
        try:
            result = original(self, *args, **kwargs)
        finally:
            gate.inside = False
        if before != [p.data_ptr() for p in self.parameters()]:
            bus.dispatch(ModuleMoved, self, before)
        return result

    return _apply
