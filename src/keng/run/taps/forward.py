"""Calls of modules that no other module's forward makes: the user's own."""

from __future__ import annotations

import sys
from threading import get_ident
from typing import Any
from weakref import WeakSet

import torch

from keng.run.bus import Bus
from keng.run.events import Forward, ForwardEnd, ForwardFailed, InferenceEnd, RootModule
from keng.run.state import tensors_in
from keng.run.taps.patches import Patches, hide_from_dynamo, is_special

DYNAMO = ("torch._dynamo.utils", "torch._dynamo.variables.nn_module")


def put_on(bus: Bus, patches: Patches) -> None:
    if not bus.wants(Forward, ForwardEnd, ForwardFailed, RootModule):
        return
    from torch.nn import Module

    from keng.run.replay.probe import Probe

    gate, run, original = bus.gate, bus.run, Module.__call__
    known: WeakSet[Any] = WeakSet()

    # Positional-only: a module may take a keyword argument named `self`.
    def __call__(self: Any, /, *args: Any, **kwargs: Any) -> Any:  # noqa: N807
        if gate.inside or gate.shut or get_ident() != gate.thread or is_special():
            # Modules in modules are many, and a call with stars costs twice as much.
            if len(args) == 1 and not kwargs:
                return original(self, args[0])
            return original(self, *args, **kwargs)
        if getattr(self, "training", None) is None:  # made without `super().__init__()`
            return original(self, *args, **kwargs)
        if self not in known:
            known.add(self)
            bus.dispatch(RootModule, self)
        inputs = _tensors((args, kwargs) if kwargs else args)
        bus.dispatch(Forward, self, args, kwargs, inputs)
        gate.inside = True
        try:
            if run.probes:
                run.probes = False
                with Probe(bus):
                    output = original(self, *args, **kwargs)
            else:
                output = original(self, *args, **kwargs)
        except Exception as error:
            bus.dispatch(ForwardFailed, self, inputs, error)
            raise
        finally:
            gate.inside = False
        outputs = _tensors(output)
        bus.dispatch(ForwardEnd, self, inputs, outputs, output)
        if not torch.is_grad_enabled():
            bus.dispatch(InferenceEnd, self, inputs, outputs)
        return output

    hide_from_dynamo(_tensors, below=True)
    patches.put(Module, "__call__", __call__)
    _tell_dynamo(original, __call__)
    patches.later(lambda: _tell_dynamo(__call__, original))


def _tensors(things: Any) -> list[Any]:
    """As `tensors_in`; most modules are given one tensor and give one."""
    if type(things) is torch.Tensor:
        return [things]
    if type(things) is tuple and len(things) == 1 and type(things[0]) is torch.Tensor:
        return [things[0]]
    return list(tensors_in(things))


def _tell_dynamo(before: Any, now: Any) -> None:
    """Dynamo takes a short way through modules whose `__call__` is torch's own, as it was when dynamo
    was imported. The wrapper is as good."""
    for name in DYNAMO:
        module = sys.modules.get(name)
        if getattr(module, "unpatched_nn_module_call", None) is before:
            module.unpatched_nn_module_call = now  # type: ignore[union-attr]
