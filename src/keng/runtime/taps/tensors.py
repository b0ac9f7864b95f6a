"""Values that the host reads from a GPU and copies that it makes to it, where there is one."""

from __future__ import annotations

from typing import Any

import torch

from keng.runtime.bus import Bus
from keng.runtime.taps.patches import Patches

READS = ("item", "tolist", "numpy", "cpu", "__float__", "__int__", "__bool__")


def put_on(bus: Bus, patches: Patches) -> None:
    if not torch.cuda.is_available():
        return
    if bus.wants("read"):
        for name in READS:
            patches.put(torch.Tensor, name, _read(bus, getattr(torch.Tensor, name)))
    if bus.wants("moved_over"):
        for name in ("to", "cuda"):
            patches.put(torch.Tensor, name, _move(bus, getattr(torch.Tensor, name)))


def _read(bus: Bus, original: Any) -> Any:
    gate = bus.gate

    def tapped(self: Any, *args: Any, **kwargs: Any) -> Any:
        if not gate.shut:
            bus.tell("read", self)
        return original(self, *args, **kwargs)

    return tapped


def _move(bus: Bus, original: Any) -> Any:
    gate = bus.gate

    def tapped(self: Any, *args: Any, **kwargs: Any) -> Any:
        result = original(self, *args, **kwargs)
        if kwargs.get("non_blocking") and not gate.shut:
            bus.tell("moved_over", self, result)
        return result

    return tapped
