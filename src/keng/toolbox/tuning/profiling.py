"""Where the time of one batch goes, measured in this process without workers."""

from __future__ import annotations

import pickle
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from math import gcd
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.utils._pytree import tree_leaves, tree_map_only
from torch.utils.data import IterableDataset
from torch.utils.data._utils import worker

from keng.toolbox.tuning.settings import Profile

QUEUED = Path("/proc/thread-self/schedstat")
"""Nanoseconds on a processor, nanoseconds ready and waiting for one, turns."""
ROUNDS = 8
"""Batches at most."""

Collate = Callable[[list[Any]], Any]


class Clocks(NamedTuple):
    """Seconds in all and on processors (of all threads of this process), and how often this thread
    gave its processor up to wait for something."""

    wall: float
    cpu: float
    waits: float

    @classmethod
    def now(cls) -> Clocks:
        return cls(time.perf_counter(), time.process_time(), _waits())

    def since(self, before: Clocks) -> tuple[float, float]:
        """Seconds waiting and computing. Who never gave the processor up did not wait: other programs
        had taken it."""
        wall, cpu, waits = (now - then for now, then in zip(self, before, strict=True))
        return max(0.0, wall - cpu) if waits else 0.0, cpu


def _waits() -> float:
    if sys.platform == "win32":
        return (
            time.perf_counter()
        )  # not counted there: what did not compute is taken to have waited
    import resource

    thread = getattr(resource, "RUSAGE_THREAD", resource.RUSAGE_SELF)  # macOS tells of all threads
    return resource.getrusage(thread).ru_nvcsw


def _queued() -> float:
    """Seconds in which this thread was ready, and another program had the processor."""
    try:
        return int(QUEUED.read_text().split()[1]) / 1e9
    except (OSError, IndexError, ValueError):
        return 0.0


def profile(dataset: Any, batch_size: int, collate: Collate, seconds: float) -> Profile:
    """Makes up to ROUNDS batches within about `seconds`, and at least one. What is told are clocks and
    counts of this thread alone, so that a machine busy with other programs gives the same shares.

    A file that lies in the page cache is not waited for: storage is judged as this run met it.

    Raises: ValueError where there is no sample or a batch cannot be sent; what the dataset raises.
    """
    samples = _samples(dataset)
    waiting = computing = copying = sharing = 0.0
    batch: Any = None
    begin = time.perf_counter()
    for _ in range(ROUNDS):
        queued = _queued()
        read, waited, computed = _read(samples, batch_size)
        queued = _queued() - queued
        if not read:
            break
        before = time.process_time()
        with _as_a_worker(dataset):
            batch = collate(read)
        copying += time.process_time() - before
        sharing += _shared(batch)
        waiting += max(0.0, waited - queued)
        computing += computed
        if time.perf_counter() - begin > seconds:
            break
    if batch is None:
        raise ValueError("there is no sample")
    _sendable(batch)
    return Profile(waiting, computing, copying, sharing, bytes_of(batch))


@contextmanager
def _as_a_worker(dataset: Any) -> Iterator[None]:
    """There `default_collate` copies into shared memory at once, and no second time to send it. The
    name is private; get_worker_info, which reads it, is not."""
    worker._worker_info = worker.WorkerInfo(id=0, num_workers=1, seed=0, dataset=dataset)
    try:
        yield
    finally:
        worker._worker_info = None


def _shared(batch: Any) -> float:
    """CPU seconds of putting into shared memory what is not there yet. A view is left out: its whole
    memory is sent with it, but only once."""
    seconds = 0.0
    for leaf in _shareable(batch):
        if leaf.nbytes == leaf.untyped_storage().nbytes():
            copy = leaf if leaf.is_shared() else leaf.detach().clone()
            before = time.process_time()
            copy.share_memory_()
            seconds += time.process_time() - before
    return seconds


def _sendable(batch: Any) -> None:
    """A loader would wait for ever for what its worker cannot pickle. Raises: ValueError."""
    try:
        pickle.dumps(tree_map_only(Tensor, lambda tensor: None, batch))
    except Exception as error:
        raise ValueError(f"a worker cannot send a batch: {error}") from None


def _read(samples: Iterator[Any], count: int) -> tuple[list[Any], float, float]:
    """So many samples, and the seconds that they waited and computed."""
    read: list[Any] = []
    waiting = computing = 0.0
    before = Clocks.now()
    for sample in islice(samples, count):
        waited, computed = Clocks.now().since(before)
        waiting, computing = waiting + waited, computing + computed
        read.append(sample)
        before = Clocks.now()
    return read, waiting, computing


def _samples(dataset: Any) -> Iterator[Any]:
    """Indices far from each other: a shuffled epoch reads so as well."""
    if isinstance(dataset, IterableDataset):
        yield from dataset
        return
    length = len(dataset)
    step = max(1, int(length * 0.618))
    while gcd(step, length) > 1:
        step += 1
    for n in range(length):
        yield dataset[n * step % length]


def bytes_of(batch: Any) -> int:
    """Of its tensors, as they are shared between processes."""
    return sum(leaf.nbytes for leaf in _shareable(batch))


def _shareable(batch: Any) -> Iterator[Tensor]:
    """The tensors that are one piece of ordinary memory."""
    for leaf in tree_leaves(batch):
        plain = isinstance(leaf, Tensor) and leaf.layout is torch.strided and not leaf.is_nested
        if plain and leaf.device.type == "cpu":
            yield leaf
