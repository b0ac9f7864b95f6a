"""How fast a loader is."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import torch
from torch.utils.data import DataLoader, IterableDataset

from keng.toolbox.tuning.profiling import Collate
from keng.toolbox.tuning.settings import Measure, Setting

LEAST = 3
"""Batches of each worker, of those that are timed at least, where the dataset has as many."""
PATIENCE = 120.0
"""Seconds after which no batch will come: a worker stands still, as forked ones do over a lock."""


class Feed(NamedTuple):
    """What is loaded, how batches are made of it, and how a worker is begun."""

    dataset: Any
    batch_size: int
    collate: Collate
    init: Callable[[int], object] | None = None
    context: Any = None


class Sharing:
    """Sets the strategy in a worker, where a forked one would inherit it and another does not; then
    does what the user's loader does."""

    def __init__(self, strategy: str, init: Callable[[int], object] | None = None) -> None:
        self.strategy, self.init = strategy, init

    def __call__(self, worker: int) -> None:
        if self.strategy:
            torch.multiprocessing.set_sharing_strategy(self.strategy)
        if self.init is not None:
            self.init(worker)


def measure(feed: Feed, setting: Setting, seconds: float, enough: float = 0.0) -> Measure:
    """Takes batches for about `seconds` after the first, going through the dataset again where it is
    short; ends earlier where the rate stays below half of `enough` samples a second.

    The workers' start and the batches that they had ready by the first are not timed: what is
    prefetched is taken before the clock starts.
    """
    before = torch.multiprocessing.get_sharing_strategy()
    Sharing(setting.sharing)(0)
    try:
        with warnings.catch_warnings():
            # Whether so many are too many is what is being measured.
            warnings.filterwarnings("ignore", "This DataLoader will create")
            return _measured(feed, setting, seconds, enough)
    finally:
        torch.multiprocessing.set_sharing_strategy(before)


def _measured(feed: Feed, setting: Setting, seconds: float, enough: float) -> Measure:
    loader = DataLoader(
        feed.dataset,
        feed.batch_size,
        shuffle=not isinstance(feed.dataset, IterableDataset),
        collate_fn=feed.collate,
        worker_init_fn=Sharing(setting.sharing, feed.init),
        multiprocessing_context=feed.context if setting.num_workers else None,
        timeout=PATIENCE if setting.num_workers else 0,
        **setting.arguments,
    )
    skipped = max(1, setting.num_workers * setting.prefetch_factor)
    least = LEAST * max(1, setting.num_workers)
    batches, begin, samples = 0, time.perf_counter(), 0
    while True:
        passed = batches
        for _ in loader:
            batches += 1
            took = time.perf_counter() - begin
            if batches == skipped:
                begin = time.perf_counter()
            samples += feed.batch_size * (batches > skipped)
            done = batches - skipped
            slow = done >= least and samples / took < enough / 2
            if done >= 1 and (took > seconds or slow):
                return Measure(setting, samples, took)
        if batches == passed:
            raise ValueError("there is no sample")
