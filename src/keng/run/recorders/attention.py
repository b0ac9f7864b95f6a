"""How much of a run the recorders are told: what keeps the watcher within its budget."""

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
"""Steps that have full attention whatever it takes."""
STRETCH = 32
"""Steps in a row: a leak is told by what sixteen leave behind, and a GAN has two optimizers."""
LONGEST = 3 * STRETCH
"""Steps of a pause at most: so much later is found what nothing has announced."""
SHARE, LEAST = 0.012, 60e-6
"""The budget of recorders and watchers: this share of the time, or so many seconds a step where that is
more. Pauses cost something, too: with them it is to stay below two percent of a step of 5 ms."""
KINDS, LOADERS = 1000, 16


class Attention(Recorder):
    """Full attention goes on while it takes no more than the budget. Else there are pauses between its
    stretches, the longer the more it takes, in which recorders are told only what they cannot miss.
    Whatever is new ends a pause before it happens: a module, an optimizer, a loader, a mode in which a
    module has not run before. A pass over a loader that is known ends it where little of it is left: what
    is left is `owed`, and added to the next. So passes of a few steps get their pauses, too."""

    prepares = ForwardEnd

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
            self._attend()

    def root_module(self, event: RootModule) -> None:
        """Some make a loss anew at each step, which is a module as well."""
        if next(event.module.parameters(), None) is not None:
            self._attend()

    def new_optimizer(self, event: NewOptimizer) -> None:
        self._attend()

    def state_loaded(self, event: StateLoaded) -> None:
        self._attend()

    def epoch_begin(self, event: EpochBegin) -> None:
        loader = event.iterator._index_sampler
        if loader in self.loaders or self.fresh == LOADERS:
            self._attend_again()
            return
        self.loaders.add(loader)
        self.fresh += 1
        self._attend()

    def epoch_end(self, event: EpochEnd) -> None:
        self._attend_again()

    def step_end(self, event: StepEnd) -> None:
        step = self.run.step
        if not self.run.sampling:
            self.owed -= 1
            if not self.owed:
                self._attend()
        elif step >= self.turns:
            pause = self._pause(*self.begun) if step >= FIRST else 0
            self.owed = min(self.owed + pause, LONGEST)
            if self.owed and self.bus is not None:
                self.bus.set_sampling(False)
            else:
                self._attend()

    def _attend_again(self) -> None:
        if not self.run.sampling and self.owed <= STRETCH:
            self._attend()

    def _attend(self) -> None:
        run = self.run
        self.turns = max(run.step + STRETCH, FIRST)
        self.begun = run.step, perf_counter(), run.spent
        if not run.sampling and self.bus is not None:
            self.bus.set_sampling(True)

    def _pause(self, step: int, begun: float, spent: float) -> int:
        """Steps to rest after a stretch, by what it took."""
        seconds, steps = perf_counter() - begun, self.run.step - step
        over = (self.run.spent - spent) / max(SHARE * seconds, LEAST * steps)
        return int(STRETCH * over) if over > 1 else 0
