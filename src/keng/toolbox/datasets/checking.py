"""One pass over a dataset."""

from __future__ import annotations

import heapq
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from torch import Tensor

from keng.toolbox.datasets import objects, verdicts
from keng.toolbox.datasets.reports import DatasetReport, PartReport
from keng.toolbox.datasets.samples import MOST_PARTS, Failed, Source, parts
from keng.toolbox.datasets.twins import Digests
from keng.toolbox.datasets.values import Part, Some

SLOWEST = 5
BINS = 32
MESSAGES = 20
"""Kinds of errors that are told apart."""

Progress = Callable[[int, int], object]


def check_dataset(
    data: Any, *, against: Any = None, classes: int | None = None, progress: Progress | None = None
) -> DatasetReport:
    """Reads a dataset once, sample by sample, and says what is wrong with it: its length, shapes and
    dtypes that differ, NaN, Inf and constant samples, the range of pictures, labels, samples that are
    there twice, samples that raise, Python objects that workers would copy.

    `data` is a Dataset, an IterableDataset, any object read by index or in order, or a DataLoader,
    of which the dataset is read without workers. `against` is another split (its test set): samples
    that are in both leak. `classes` is the number of outputs, which labels are held to. `progress` is
    called with samples done and in all (0: not known).

    What is kept does not grow with the samples, but for digests of 16 bytes each (40 of pictures), at
    most 160 MB. Ctrl-C ends the pass; the report then tells of what was read (`interrupted`).

    Raises: TypeError where `data` cannot be read as a dataset, ValueError for less than one class.
    """
    if classes is not None and classes < 1:
        raise ValueError(f"there is at least one class, not {classes}")
    first = Pass(Source(data))
    second = Pass(Source(against)) if against is not None else None
    passes = [each for each in (first, second) if each is not None]
    try:
        for each in passes:
            each.run(progress)
    except KeyboardInterrupt:
        first.interrupted = True
    for each in passes:
        each.flush()
    return first.report(second, classes)


class Pass:
    """What is gathered while a dataset is read."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.parts: dict[str, Part] = {}
        self.digests = Digests()
        self.failures: dict[str, Some] = {}
        self.past_end = Some()
        self.read = self.failed = self.nbytes = 0
        self.seconds = 0.0
        self.slowest: list[tuple[float, int]] = []
        self.interrupted = False
        self.before: dict[str, int] = {}

    def run(self, progress: Progress | None = None) -> None:
        self.before = objects.sizes(self.source.dataset)
        index, samples = 0, iter(self.source)
        while True:
            begin = time.perf_counter()
            sample = next(samples, self)  # a sample may be None
            if sample is self:
                return
            self._timed(index, time.perf_counter() - begin)
            self._add(index, sample)
            index += 1
            if progress is not None:
                progress(index, self.source.length or 0)

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
        except Exception as error:  # a picture of PIL is decoded only when it is looked at
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

    def flush(self) -> None:
        """Counts what was gathered."""
        self.digests.flush()
        for part in self.parts.values():
            part.flush()

    def report(self, other: Pass | None, classes: int | None) -> DatasetReport:
        slowest = tuple((index, seconds) for seconds, index in sorted(self.slowest, reverse=True))
        return DatasetReport(
            length=self.source.length,
            read=self.read,
            failed=self.failed,
            parts=tuple(_part(part) for part in self.parts.values()),
            findings=tuple(verdicts.of(self, other, classes)),
            seconds=self.seconds,
            nbytes=self.nbytes,
            slowest=slowest,
            interrupted=self.interrupted,
        )


def _part(part: Part) -> PartReport:
    shapes = {shape: seen.count for shape, seen in part.shapes.items()}
    dtypes = {dtype: seen.count for dtype, seen in part.dtypes.items()}
    if not len(part.reservoir.values):
        return PartReport(part.name, shapes, dtypes)
    return PartReport(
        part.name,
        shapes,
        dtypes,
        part.minimum,
        part.maximum,
        part.mean,
        part.deviation,
        _histogram(part),
        part.labels.classes,
    )


def _histogram(part: Part) -> tuple[int, ...]:
    """Counted between 0 and 1: numpy makes no bins for values that lie as close together as 64 bits allow,
    as times in nanoseconds do."""
    span = part.maximum - part.minimum
    shares = (part.reservoir.values - part.minimum) / (span or 1.0)
    return tuple(np.histogram(shares, BINS, (0.0, 1.0))[0].tolist())
