"""How much of a run the recorders are told: what keeps the watcher within its budget."""

from __future__ import annotations

from time import perf_counter
from typing import Any

import torch

from keng.runtime.bus import Recorder
from keng.runtime.scene import Scene

FIRST = 64
"""Steps that have full attention whatever it takes."""
STRETCH = 32
"""Steps in a row: a leak is told by what sixteen leave behind, and a GAN has two optimizers."""
LONGEST = 3 * STRETCH
"""Steps of a pause at most: so much later is found what nothing has announced."""
SHARE, LEAST = 0.012, 60e-6
"""The budget of recorders and watchers: this share of the time, or so many seconds a step where that is
more. With the way through the taps it is to stay below two percent of a step of 5 ms."""
KINDS = 1000


class Attention(Recorder):
    """Full attention goes on while it takes no more than the budget. Else there are pauses between its
    stretches, the longer the more it takes, in which recorders are told only what they cannot miss.
    Whatever is new ends a pause before it happens: a module, an optimizer or a pass over a loader that
    begins, a mode in which a module has not run before."""

    serves = "forward_end"

    def __init__(self, scene: Scene) -> None:
        super().__init__(scene)
        self.kinds: set[tuple[int, bool, bool]] = set()
        self.turns = FIRST - STRETCH
        self.begun = scene.step, 0.0, 0.0

    def forward(self, module: Any, args: Any, kwargs: Any, inputs: Any) -> None:
        kind = id(module), module.training, torch.is_grad_enabled()
        if kind not in self.kinds:
            if len(self.kinds) > KINDS:
                self.kinds.clear()
            self.kinds.add(kind)
            self._attend()

    def root(self, module: Any) -> None:
        self._attend()

    def optimizer(self, optimizer: Any) -> None:
        self._attend()

    def state_loaded(self, module: Any, strict: bool, result: Any) -> None:
        self._attend()

    def pass_begin(self, iterator: Any, batch: Any) -> None:
        self._attend()

    def pass_end(self, iterator: Any) -> None:
        self._attend()

    def step_end(self, optimizer: Any) -> None:
        step = self.scene.step
        if step < self.turns:
            return
        pause = self._pause(*self.begun) if self.scene.attends and step >= FIRST else 0
        if pause and self.bus is not None:
            self.turns = step + pause
            self.bus.attend(False)
        else:
            self._attend()

    def _attend(self) -> None:
        scene = self.scene
        self.turns = max(scene.step + STRETCH, FIRST)
        self.begun = scene.step, perf_counter(), scene.spent
        if not scene.attends and self.bus is not None:
            self.bus.attend(True)

    def _pause(self, step: int, begun: float, spent: float) -> int:
        """Steps to rest after a stretch, by what it took."""
        seconds, steps = perf_counter() - begun, self.scene.step - step
        over = (self.scene.spent - spent) / max(SHARE * seconds, LEAST * steps)
        return min(int(STRETCH * over), LONGEST) if over > 1 else 0
