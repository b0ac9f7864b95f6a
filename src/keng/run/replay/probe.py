"""Dispatches each call of a torch function within one forward of each module: expensive, so once."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import torch
from torch.overrides import TorchFunctionMode

from keng.run.bus import Bus
from keng.run.events import Forward, GraphCut, RootModule, TensorIndexed, TorchFunction
from keng.run.recorder import Recorder
from keng.run.state import RunState

if TYPE_CHECKING:
    from torch.nn import Module

CUTS = {"detach", "data", "item", "tolist", "numpy", "__float__", "__int__", "__array__", "tensor"}


CALL = 2
"""The training forward of each module that is probed: the first often differs from the rest."""


class ProbedForwards(Recorder):
    """Asks the tap of modules to probe a forward."""

    prepares = (GraphCut, TensorIndexed, TorchFunction)
    dormant = (Forward,)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.calls: WeakKeyDictionary[Module, int] = WeakKeyDictionary()
        self.open = 0  # modules that are yet to be probed

    def root_module(self, event: RootModule) -> None:
        self.open += 1
        self.listen(Forward)

    def forward(self, event: Forward) -> None:
        module = event.module
        if not torch.is_grad_enabled() or not module.training:
            return
        calls = self.calls[module] = self.calls.get(module, 0) + 1
        if calls == CALL:
            self.run.probes = may_probe()
            self.open -= 1
            if not self.open:
                self.ignore(Forward)


class Probe(TorchFunctionMode):
    def __init__(self, bus: Bus) -> None:
        super().__init__()
        self.bus = bus

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        name = getattr(func, "__name__", "")
        if name == "__get__":
            name = getattr(getattr(func, "__self__", None), "__name__", "")
        first = args[0] if args else None
        if isinstance(first, torch.Tensor):
            if name in CUTS and first.requires_grad:
                self.bus.dispatch(GraphCut, name, first)
            elif name == "__getitem__":
                self.bus.dispatch(TensorIndexed, first, args[1])
        result = func(*args, **(kwargs or {}))
        self.bus.dispatch(TorchFunction, args, kwargs, result)
        return result


def may_probe() -> bool:
    """False where code is compiled or traced: that is guarded by the modes that are on, and would be
    compiled again."""
    dynamo = sys.modules.get("torch._dynamo.utils")
    compiled = dynamo is not None and bool(dynamo.counters["frames"])
    tracing = torch._C._get_tracing_state() is not None
    return not (compiled or tracing)
