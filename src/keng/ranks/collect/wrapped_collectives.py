"""A journal for a torch without a flight recorder: the functions of torch.distributed, wrapped.

It does not see what C++ calls by itself: the reductions of DistributedDataParallel.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Iterator
from threading import Lock
from time import time
from typing import Any

import torch.distributed as dist

from keng.ranks.calls import Call, Collective
from keng.ranks.collect.journal import DEEPEST, ENTRIES, Read, collective
from keng.run.state import tensors_in
from keng.run.taps.patches import Patches

FUNCTIONS = (
    "all_reduce", "all_gather", "all_gather_into_tensor", "all_to_all", "all_to_all_single", "barrier",
    "broadcast", "gather", "reduce", "reduce_scatter", "reduce_scatter_tensor", "scatter",
)  # fmt: skip


class Wrapped:
    def __init__(self) -> None:
        self._patches = Patches()
        self._lock = Lock()
        self._new: deque[Call] = deque(maxlen=ENTRIES)
        self._open: list[Call] = []
        self._made: dict[str, int] = {}
        for name in FUNCTIONS:
            wrapper = self._wrapper(name, getattr(dist.distributed_c10d, name))
            for owner in (dist.distributed_c10d, dist):
                self._patches.put(owner, name, wrapper)

    def read(self) -> Read:
        with self._lock:
            read = Read(tuple(self._new), tuple(self._open))
            self._new.clear()
        return read

    def close(self) -> None:
        self._patches.undo()

    def _wrapper(self, name: str, original: Any) -> Any:
        def tapped(*args: Any, **kwargs: Any) -> Any:
            call = self._begin(name, args, kwargs)
            try:
                return original(*args, **kwargs)
            finally:
                # An asynchronous call is done when it is waited for, which is not seen here.
                with self._lock:
                    self._open.remove(call)

        return tapped

    def _begin(self, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Call:
        given: list[Any] = [*args, *kwargs.values()]
        group: Any = next((g for g in given if isinstance(g, dist.ProcessGroup)), dist.group.WORLD)
        spoken = dist.distributed_c10d._world.pg_names.get(group, "")
        with self._lock:
            number = self._made[spoken] = self._made.get(spoken, 0) + 1
            call = Call(spoken, number, _what(name, given), time())
            self._new.append(call)
            self._open.append(call)
        return call


def _what(name: str, given: list[Any]) -> Collective:
    tensors = list(tensors_in(given))[:1]
    shapes = tuple(tuple(tensor.shape) for tensor in tensors)
    dtype = "".join(str(tensor.dtype).removeprefix("torch.") for tensor in tensors)
    return collective(name, shapes, dtype, frames(sys._getframe(2)))


def frames(frame: Any) -> Iterator[tuple[str, int, str]]:
    """File, line and function of a frame and of those that called it."""
    for _ in range(10 * DEEPEST):
        if frame is None:
            return
        yield frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name
        frame = frame.f_back
