"""A running program: two optimizers step on the same gradients."""

from __future__ import annotations

from typing import Any
from weakref import ref

from keng.model import say
from keng.run.events import Backward, NewOptimizer, Paused, Step, StepEnd, ZeroGrad
from keng.run.frames import spoken
from keng.run.recorder import Recorder
from keng.run.state import RunState

TIMES = 2


class OverlappingOptimizers(Recorder):
    """Between two backwards an optimizer that steps inside another's step belongs to that one: a
    look-ahead, a sharpness-aware one. Gradients that were cleared, or computed again, are other
    gradients."""

    dormant = (Backward, ZeroGrad, Step, StepEnd)
    sampled = dormant

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.stepped: list[ref[Any]] = []
        self.depth = 0
        self.known = 0
        self.times: dict[tuple[int, int], int] = {}

    def paused(self, event: Paused) -> None:
        self.stepped, self.depth = [], 0

    def new_optimizer(self, event: NewOptimizer) -> None:
        self.known += 1
        if self.known > 1:
            self.listen(*self.dormant)

    def backward(self, event: Backward) -> None:
        self.stepped = []

    def zero_grad(self, event: ZeroGrad) -> None:
        self.stepped = []

    def step(self, event: Step) -> None:
        self.depth += 1
        if self.depth == 1 and self.stepped:
            for known in self.stepped:
                other = known()
                if other is not None and other is not event.optimizer:
                    self._compare(other, event.optimizer)

    def step_end(self, event: StepEnd) -> None:
        self.depth = max(self.depth - 1, 0)
        if not self.depth:
            self.stepped.append(ref(event.optimizer))

    def _compare(self, first: Any, second: Any) -> None:
        key = id(first), id(second)
        times = self.times[key] = self.times.get(key, 0) + 1
        if times != TIMES:
            return
        count = len(_held(first) & _held(second))
        if count:
            one, other = map(spoken, (first, second))
            self.report(say("moved-again", second=other, count=count, first=one), parameters=count)


def _held(optimizer: Any) -> set[int]:
    groups = optimizer.param_groups
    return {id(p) for group in groups for p in group["params"] if p.grad is not None}
