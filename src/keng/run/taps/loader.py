"""Batches that a DataLoader hands out, beginning and end of each pass over it, and its failures."""

from __future__ import annotations

from time import perf_counter
from typing import Any

from keng.run.bus import Bus
from keng.run.events import (
    Batch,
    BatchWanted,
    EpochBegin,
    EpochEnd,
    LoaderFailed,
    LoaderStalled,
)
from keng.run.taps.patches import Patches
from keng.run.worker_stacks import workers_begin


def put_on(bus: Bus, patches: Patches) -> None:
    from torch.utils.data import dataloader

    if bus.wants(EpochBegin, BatchWanted, Batch, EpochEnd, LoaderFailed):
        kind = dataloader._BaseDataLoaderIter
        patches.put(kind, "__next__", _next(bus, kind.__next__))
    if bus.wants(LoaderStalled):
        workers = dataloader._MultiProcessingDataLoaderIter
        patches.put(workers, "__init__", _init(workers.__init__))
        patches.put(workers, "_try_get_data", _try_get_data(bus, workers._try_get_data))


def _next(bus: Bus, original: Any) -> Any:
    gate = bus.gate

    def __next__(self: Any) -> Any:  # noqa: N807
        if gate.shut:
            return original(self)
        bus.dispatch(BatchWanted, self)
        begun = perf_counter()
        try:
            batch = original(self)
        except StopIteration:
            bus.dispatch(EpochEnd, self)
            raise
        except Exception as error:
            bus.dispatch(LoaderFailed, self, error)
            raise
        if self._num_yielded == 1:
            bus.dispatch(EpochBegin, self, batch)
        bus.dispatch(Batch, self, batch, perf_counter() - begun)
        return batch

    return __next__


def _init(original: Any) -> Any:
    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:  # noqa: N807
        with workers_begin():
            original(self, *args, **kwargs)

    return __init__


def _try_get_data(bus: Bus, original: Any) -> Any:
    gate = bus.gate

    def tapped(self: Any, *args: Any, **kwargs: Any) -> Any:
        begun = perf_counter()
        there, data = original(self, *args, **kwargs)
        if not there and not gate.shut:
            bus.dispatch(LoaderStalled, self, perf_counter() - begun)
        return there, data

    return tapped
