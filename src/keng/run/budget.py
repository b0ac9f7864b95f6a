"""Keeps the recorders within their budget: in a long run they see stretches of steps, not every one."""

from __future__ import annotations

from time import perf_counter
from typing import Any
from weakref import WeakSet

import torch

from keng.run.events import (
    EpochBegin,
    EpochEnd,
    Forward,
    ForwardEnd,
    NewOptimizer,
    RootModule,
    StateLoaded,
    StepEnd,
)
from keng.run.recorder import Recorder
from keng.run.state import RunState

FIRST = 64
"""The first steps are sampled whatever they cost."""
STRETCH = 32
"""Steps of a stretch: a leak shows in what sixteen of them leave behind, and a GAN has two optimizers."""
LONGEST = 3 * STRETCH
"""Steps of a pause at most: what begins in a pause unannounced is found so much later."""
SHARE, LEAST = 0.012, 60e-6
"""The budget of recorders and rules: a share of the time, or seconds a step where that is more. Pauses
cost something too: with them the overhead stays below two percent of a step of 5 ms."""
KINDS, LOADERS = 1000, 16


class Budget(Recorder):
    """Sampled events are dispatched all the time while that stays within the budget. Otherwise there
    are pauses between stretches, the longer the more a stretch costs. Whatever is new ends a pause
    before it happens: a module, an optimizer, a loader, a mode in which a module has not run before. An
    epoch of a known loader ends it where little of it is left; what is left is `owed`, and added to the
    next, so that epochs of a few steps are paused too."""

    prepares = (ForwardEnd,)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.kinds: set[tuple[int, bool, bool]] = set()
        self.loaders: WeakSet[Any] = WeakSet()
        self.fresh = 0
        self.owed = 0
        self.turns = FIRST - STRETCH
        self.begun = run.step, 0.0, 0.0

    def forward(self, event: Forward) -> None:
        kind = id(event.module), event.module.training, torch.is_grad_enabled()
        if kind not in self.kinds:
            if len(self.kinds) > KINDS:
                self.kinds.clear()
            self.kinds.add(kind)
            self._sample()

    def root_module(self, event: RootModule) -> None:
        """Without parameters it may be a loss that the program constructs again at each step."""
        if next(event.module.parameters(), None) is not None:
            self._sample()

    def new_optimizer(self, event: NewOptimizer) -> None:
        self._sample()

    def state_loaded(self, event: StateLoaded) -> None:
        self._sample()

    def epoch_begin(self, event: EpochBegin) -> None:
        loader = event.iterator._index_sampler
        if loader in self.loaders or self.fresh == LOADERS:
            self._resume_if_short()
            return
        self.loaders.add(loader)
        self.fresh += 1
        self._sample()

    def epoch_end(self, event: EpochEnd) -> None:
        self._resume_if_short()

    def step_end(self, event: StepEnd) -> None:
        step = self.run.step
        if not self.run.sampling:
            self.owed -= 1
            if not self.owed:
                self._sample()
        elif step >= self.turns:
            pause = self._pause(*self.begun) if step >= FIRST else 0
            self.owed = min(self.owed + pause, LONGEST)
            if self.owed and self.bus is not None:
                self.bus.set_sampling(False)
            else:
                self._sample()

    def _resume_if_short(self) -> None:
        if not self.run.sampling and self.owed <= STRETCH:
            self._sample()

    def _sample(self) -> None:
        run = self.run
        self.turns = max(run.step + STRETCH, FIRST)
        self.begun = run.step, perf_counter(), run.spent
        if not run.sampling and self.bus is not None:
            self.bus.set_sampling(True)

    def _pause(self, step: int, begun: float, spent: float) -> int:
        """Steps to pause after a stretch, by what it cost."""
        seconds, steps = perf_counter() - begun, self.run.step - step
        over = (self.run.spent - spent) / max(SHARE * seconds, LEAST * steps)
        return int(STRETCH * over) if over > 1 else 0
