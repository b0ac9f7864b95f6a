"""Batches that a DataLoader hands out, and the end of each pass over it."""

from __future__ import annotations

from time import perf_counter
from typing import Any

from keng.runtime.bus import Bus
from keng.runtime.taps.patches import Patches


def put_on(bus: Bus, patches: Patches) -> None:
    if not bus.wants("batch", "pass_end"):
        return
    from torch.utils.data.dataloader import _BaseDataLoaderIter

    gate, original = bus.gate, _BaseDataLoaderIter.__next__

    def __next__(self: Any) -> Any:  # noqa: N807
        if gate.shut:
            return original(self)
        begun = perf_counter()
        try:
            batch = original(self)
        except StopIteration:
            bus.tell("pass_end", self)
            raise
        bus.tell("batch", self, batch, perf_counter() - begun)
        return batch

    patches.put(_BaseDataLoaderIter, "__next__", __next__)
