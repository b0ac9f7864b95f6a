"""One pass over a dataset: what is gathered while its samples are read."""

from __future__ import annotations

import heapq
import time
from collections.abc import Callable
from typing import Any

from torch import Tensor

from keng.toolbox.datasets import objects
from keng.toolbox.datasets.samples import MOST_PARTS, Failed, Source, parts
from keng.toolbox.datasets.twins import Digests
from keng.toolbox.datasets.values import Part, Some

SLOWEST = 5
MESSAGES = 20
"""Kinds of errors that are counted one by one."""

Progress = Callable[[int, int], object]


class Pass:
    """What is gathered while a dataset, or some samples of it by their indices, is read. `grown` are the
    containers of the dataset and what they hold more of at the end."""

    def __init__(self, source: Source, samples: range | None = None) -> None:
        self.source = source
        self._samples = samples
        self.parts: dict[str, Part] = {}
        self.digests = Digests()
        self.failures: dict[str, Some] = {}
        self.past_end = Some()
        self.read = self.failed = self.nbytes = 0
        self.seconds = 0.0
        self.slowest: list[tuple[float, int]] = []
        self.interrupted = False
        self.grown: dict[str, int] = {}
        self.missing: list[range] = []
        """The samples that a process was to read which has died."""

    def run(self, progress: Progress | None = None) -> None:
        before = objects.sizes(self.source.dataset)
        try:
            self._read(progress)
        finally:
            after = objects.sizes(self.source.dataset)
            self.grown = {name: after.get(name, 0) - size for name, size in before.items()}

    def _read(self, progress: Progress | None) -> None:
        begin_at = self._samples.start if self._samples is not None else 0
        index, samples = begin_at, self.source.samples(self._samples)
        length = self.source.length if self._samples is None else len(self._samples)
        while True:
            begin = time.perf_counter()
            sample = next(samples, self)  # a sample may be None
            if sample is self:
                return
            self._timed(index, time.perf_counter() - begin)
            self._add(index, sample)
            index += 1
            if progress is not None:
                progress(index - begin_at, length or 0)

    def _timed(self, index: int, seconds: float) -> None:
        self.seconds += seconds
        heapq.heappush(self.slowest, (seconds, index))
        if len(self.slowest) > SLOWEST:
            heapq.heappop(self.slowest)

    def _add_failure(self, index: int, error: Exception) -> None:
        self.failed += 1
        if self.source.indexed and isinstance(error, IndexError):
            self.past_end.add(index)
        else:
            self.past_end = Some()  # what broke before was not the end
        lines = str(error).strip().splitlines() or [""]
        kind = f"{type(error).__name__}: {lines[0][:120]}".rstrip(": ")
        if kind in self.failures or len(self.failures) < MESSAGES:
            self.failures.setdefault(kind, Some()).add(index)

    def _add(self, index: int, sample: Any) -> None:
        if isinstance(sample, Failed):
            self._add_failure(index, sample.error)
            return
        try:
            named = list(parts(sample))
        except Exception as error:  # a picture of PIL is decoded only when it is checked
            self._add_failure(index, error)
            return
        self.read += 1
        self.past_end = Some()
        for name, value in named:
            if name not in self.parts and len(self.parts) < MOST_PARTS:
                self.parts[name] = Part(name)
            if name in self.parts:
                self.parts[name].add(index, value)
            if isinstance(value, Tensor):
                self.nbytes += value.nbytes
        self.digests.add(index, named)

    def merge(self, later: Pass) -> None:
        """Adds what was gathered of the samples that follow, after `flush` of both."""
        if later.read or later.failed > later.past_end.count:
            self.past_end = Some()  # what broke before was not the end
        self.past_end.merge(later.past_end)
        for kind, some in later.failures.items():
            if kind in self.failures or len(self.failures) < MESSAGES:
                self.failures.setdefault(kind, Some()).merge(some)
        for name, part in later.parts.items():
            if name not in self.parts and len(self.parts) < MOST_PARTS:
                self.parts[name] = Part(name)
            if name in self.parts:
                self.parts[name].merge(part)
        self.digests.merge(later.digests)
        self.read += later.read
        self.failed += later.failed
        self.nbytes += later.nbytes
        self.seconds += later.seconds
        self.slowest = heapq.nlargest(SLOWEST, [*self.slowest, *later.slowest])
        self.interrupted |= later.interrupted
        for name, more in later.grown.items():
            self.grown[name] = self.grown.get(name, 0) + more

    def flush(self) -> None:
        """Counts what was gathered."""
        self.digests.flush()
        for part in self.parts.values():
            part.flush()
