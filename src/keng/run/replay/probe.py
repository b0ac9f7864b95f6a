"""Sees each call of a torch function in one forward: dear, and so done for one or two of them."""

from __future__ import annotations

import sys
from typing import Any

import torch
from torch.overrides import TorchFunctionMode

from keng.run.bus import Bus
from keng.run.events import GraphCut, TensorIndexed, TorchFunction

CUTS = {"detach", "data", "item", "tolist", "numpy", "__float__", "__int__", "__array__", "tensor"}


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
    """Compiled code is guarded by the modes that are on, and would be compiled again."""
    dynamo = sys.modules.get("torch._dynamo.utils")
    compiled = dynamo is not None and bool(dynamo.counters["frames"])
    tracing = torch._C._get_tracing_state() is not None
    return not (compiled or tracing)
