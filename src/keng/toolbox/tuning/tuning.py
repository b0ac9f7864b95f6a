"""Which settings are tried, and which is reported."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import torch
from torch.utils.data import DataLoader, IterableDataset, default_collate

from keng.toolbox.datasets.samples import Source
from keng.toolbox.tuning.measuring import Feed, measure
from keng.toolbox.tuning.profiling import profile
from keng.toolbox.tuning.settings import Bound, Measure, Profile, Setting, Tuning

BETTER = 1.05
"""Times the rate that a setting must reach to be worth more processes or memory."""
PROFILED = 0.15
"""Share of the budget that goes into the profile."""
MOST_MEASURES = 12
ROOM = 0.8
"""Share of the free shared memory that is used at most; where it ends, a worker dies of SIGBUS."""

Progress = Callable[[int, int], object]


def tune_loader(
    data: Any,
    *,
    batch_size: int | None = None,
    budget: float = 60.0,
    cores: int | None = None,
    shared_memory: int | None = None,
    progress: Progress | None = None,
) -> Tuning:
    """Measures loaders of a dataset, one argument after the other: workers (0, 1, 2, 4 ... up to twice
    the cores), then how much they prefetch, pinning (where there is an accelerator), and the strategy
    by which they share memory. Where more of something was no faster twice, still more is not tried.

    `data` is a dataset or a DataLoader, whose batch size (1 without one), collate_fn,
    worker_init_fn and multiprocessing context are taken. `budget` is in seconds; a measure that
    runs is ended after its share, so that all may take some more. `cores` and `shared_memory`
    (bytes) are what there is to use, those of this machine where they are not given. `progress` is
    called with measures done and at most to do. Ctrl-C ends the search, which tells what it has.

    Raises: TypeError where `data` is nothing that a DataLoader takes; ValueError where there is no
    sample, a number is not above 0, or a batch cannot be sent by a worker; RuntimeError where workers
    stand still; what the dataset raises.
    """
    for name, given in (("batch_size", batch_size), ("budget", budget), ("cores", cores)):
        if given is not None and not given > 0:
            raise ValueError(f"`{name}` must be above 0, not {given}")
    search = Search(_feed(data, batch_size), budget, cores, shared_memory, progress)
    interrupted = False
    try:
        search.run()
    except KeyboardInterrupt:
        if search.profile is None or not search.measures:
            raise
        interrupted = True
    return search.told(interrupted)


def _feed(data: Any, batch_size: int | None) -> Feed:
    loader = data if isinstance(data, DataLoader) else None
    dataset: Any = data if loader is None else loader.dataset
    if not isinstance(dataset, IterableDataset) and not Source(dataset).indexed:
        raise TypeError(f"{type(data).__name__} is read in order and is no IterableDataset")
    if loader is None:
        return Feed(dataset, batch_size or 1, default_collate)
    sizes = (batch_size, loader.batch_size, getattr(loader.batch_sampler, "batch_size", None), 1)
    size = next(filter(None, sizes))
    init, context = loader.worker_init_fn, loader.multiprocessing_context
    return Feed(dataset, size, loader.collate_fn, init, context)


class Search:
    """One argument after the other, each with the best found before."""

    def __init__(
        self,
        feed: Feed,
        budget: float,
        cores: int | None,
        shared_memory: int | None,
        progress: Progress | None,
    ) -> None:
        self.feed, self.progress = feed, progress
        self.end = time.monotonic() + budget
        self.slice = budget / MOST_MEASURES
        self.budget = budget
        self.cores = cores or usable_cores()
        self.shared_memory = free_shared_memory() if shared_memory is None else shared_memory
        self.profile: Profile | None = None
        self.measures: list[Measure] = []
        self.dominated: list[Setting] = []
        self.too_big: list[Setting] = []

    def run_profile(self) -> None:
        feed = self.feed
        self.profile = profile(feed.dataset, feed.batch_size, feed.collate, self.budget * PROFILED)

    def run(self) -> None:
        self.run_profile()
        self._try([Setting()])
        self._try(Setting(workers) for workers in workers_for(self.cores))
        if self.best.setting.num_workers:
            self._try(replace(self.best.setting, prefetch_factor=factor) for factor in (4, 8))
            self._try(self._other_sharing())
        if getattr(torch, "accelerator", torch.cuda).is_available():  # since torch 2.6
            self._try([replace(self.best.setting, pin_memory=True)])

    @property
    def best(self) -> Measure:
        """The fastest, where others that take less are not as fast within a few per cent."""
        best = self.measures[0]
        for each in self.measures[1:]:
            best = each if each.rate > BETTER * best.rate else best
        return best

    def _try(self, settings: Iterable[Setting]) -> None:
        """Each of them, as long as time is left and no two in a row were no better."""
        worse = 0
        for setting in settings:
            if worse == 2:
                self.dominated.append(setting)
            elif not self._fits(setting):
                self.too_big.append(setting)
            elif not self.measures or time.monotonic() < self.end:
                before = self.best if self.measures else None
                self._measure(setting, before.rate if before else 0.0)
                worse = 0 if self.best is not before else worse + 1

    def _measure(self, setting: Setting, enough: float) -> None:
        self.measures.append(measure(self.feed, setting, self.slice, enough))
        if self.progress is not None:
            self.progress(len(self.measures), MOST_MEASURES)

    def _fits(self, setting: Setting) -> bool:
        return self._shared(setting) <= ROOM * self.shared_memory

    def _shared(self, setting: Setting) -> int:
        assert self.profile is not None
        return setting.shared_bytes(self.profile.batch_bytes)

    def _other_sharing(self) -> list[Setting]:
        now = torch.multiprocessing.get_sharing_strategy()
        others = sorted(torch.multiprocessing.get_all_sharing_strategies() - {now})
        return [replace(self.best.setting, sharing=other) for other in others]

    def told(self, interrupted: bool) -> Tuning:
        assert self.profile is not None
        best = self.best
        return Tuning(
            best,
            tuple(self.measures),
            self.profile,
            self._bound(),
            self._shared(best.setting),
            tuple(self.dominated),
            tuple(self.too_big),
            interrupted,
            self.feed.batch_size,
        )

    def _bound(self) -> Bound:
        """Shared memory where it kept workers from being tried at all; else what most of a sample's
        time goes into, whatever the number of workers that share it."""
        assert self.profile is not None
        tried = max(measure.setting.num_workers for measure in self.measures)
        if any(setting.num_workers > tried for setting in self.too_big):
            return "shared memory"
        shares = self.profile.shares
        return max(shares, key=lambda bound: shares[bound])


def workers_for(cores: int) -> list[int]:
    """1, 2, 4 ... and the cores themselves, up to twice as many: who waits for storage needs no core."""
    powers = {1 << n for n in range((2 * cores).bit_length())}
    return sorted(powers | {cores})


def usable_cores() -> int:
    """Those that this process may run on."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def free_shared_memory() -> int:
    """Bytes that are free in /dev/shm; without bound where there is none, as on macOS."""
    try:
        return shutil.disk_usage("/dev/shm").free
    except OSError:
        return 1 << 60
