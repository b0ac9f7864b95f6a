"""A running program: the training loop waits for its data."""

from __future__ import annotations

import os
from dataclasses import dataclass
from time import perf_counter
from typing import Any
from weakref import WeakKeyDictionary

from keng.model import say
from keng.run.events import Batch, StepEnd
from keng.run.recorder import Recorder
from keng.run.state import RunState

BATCHES = 20
MUCH = 0.5
FELT = 0.5
"""Seconds waited in all. A program that is over sooner is no worse for it."""


@dataclass(slots=True)
class Account:
    """Seconds waited and worked. A pass's first batch is left out, for which workers are started."""

    batches: int = 0
    steps: int = 0
    waited: float = 0.0
    worked: float = 0.0
    since: float = 0.0


class LoaderWaits(Recorder):
    dormant = (StepEnd,)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.accounts: WeakKeyDictionary[Any, Account] = WeakKeyDictionary()
        self.now: Account | None = None

    def batch(self, event: Batch) -> None:
        iterator = event.iterator
        sampler = iterator._index_sampler
        account = self.accounts.get(sampler)
        if account is None:
            account = self.accounts[sampler] = Account()
            self.listen(StepEnd)
        now = perf_counter()
        if iterator._num_yielded > 1:
            account.batches += 1
            account.waited += event.waited
            account.worked += max(now - event.waited - account.since, 0.0)
            if account.batches % BATCHES == 0 and account.steps * 2 >= account.batches:
                self._say(account, len(getattr(iterator, "_workers", ())))
        account.since = now
        self.now = account

    def step_end(self, event: StepEnd) -> None:
        if self.now is not None:
            self.now.steps += 1

    def _say(self, account: Account, workers: int) -> None:
        total, cores = account.waited + account.worked, len(os.sched_getaffinity(0))
        share = account.waited / total if total else 0.0
        waited, worked = account.waited / account.batches, account.worked / account.batches
        if share < MUCH or waited * account.batches < FELT:
            return
        values = {"share": f"{share:.0%}", "cores": cores, "workers": workers}
        if not workers:
            says = say("no-workers", **values)
        elif cores > workers:
            says = say("too-few-workers", **values)
        else:
            says = say("samples-too-slow", **values)
        self.report(says, waited=waited, worked=worked, workers=workers)
