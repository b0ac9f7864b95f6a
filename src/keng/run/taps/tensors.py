"""Values that the host reads from a GPU and copies that it makes to it, where there is one; and graphs of
CUDA, which record what any Python does while they are captured."""

from __future__ import annotations

from typing import Any

import torch

from keng.run.bus import Bus
from keng.run.events import AsyncCopy, HostRead
from keng.run.taps.patches import Patches

READS = ("item", "tolist", "numpy", "cpu", "__float__", "__int__", "__bool__")


def put_on(bus: Bus, patches: Patches) -> None:
    if not torch.cuda.is_available():
        return
    if bus.wants(HostRead):
        for name in READS:
            patches.put(torch.Tensor, name, _read(bus, getattr(torch.Tensor, name)))
    if bus.wants(AsyncCopy):
        for name in ("to", "cuda"):
            patches.put(torch.Tensor, name, _move(bus, getattr(torch.Tensor, name)))
    graph = torch.cuda.CUDAGraph
    patches.put(graph, "capture_begin", _capture(bus, graph.capture_begin))
    patches.put(graph, "capture_end", _captured(bus, graph.capture_end))


def _read(bus: Bus, original: Any) -> Any:
    gate = bus.gate

    def tapped(self: Any, *args: Any, **kwargs: Any) -> Any:
        value = original(self, *args, **kwargs)
        if not gate.shut and not self.is_cpu:
            bus.dispatch(HostRead, self, value)
        return value

    return tapped


def _move(bus: Bus, original: Any) -> Any:
    gate = bus.gate

    def tapped(self: Any, *args: Any, **kwargs: Any) -> Any:
        result = original(self, *args, **kwargs)
        if kwargs.get("non_blocking") and not gate.shut:
            bus.dispatch(AsyncCopy, self, result)
        return result

    return tapped


def _capture(bus: Bus, original: Any) -> Any:
    gate = bus.gate

    def tapped(self: Any, *args: Any, **kwargs: Any) -> Any:
        result = original(self, *args, **kwargs)
        gate.hold()
        return result

    return tapped


def _captured(bus: Bus, original: Any) -> Any:
    gate = bus.gate

    def tapped(self: Any, *args: Any, **kwargs: Any) -> Any:
        gate.release()
        return original(self, *args, **kwargs)

    return tapped
