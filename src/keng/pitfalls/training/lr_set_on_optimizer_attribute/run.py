"""A running program: the learning rate is set on the optimizer itself, where nothing reads it."""

from __future__ import annotations

from typing import Any
from weakref import WeakSet

from keng.model import say
from keng.pitfalls.training._shared_run import rates_set
from keng.run.events import EpochEnd, NewOptimizer, RunEnd, Step
from keng.run.frames import spoken
from keng.run.recorder import Recorder
from keng.run.state import RunState
from keng.run.user_code import only_set_at

UNTIL = 30
"""Steps after which rates are only checked at the ends of epochs and of the program."""


class OptimizerRates(Recorder):
    """A rate may be set at any step, on an optimizer of torch's own: another class may read it."""

    dormant = (Step,)
    sampled = (Step,)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.said = False
        self.optimizers: WeakSet[Any] = WeakSet()
        self.steps = 0

    def new_optimizer(self, event: NewOptimizer) -> None:
        self.optimizers.add(event.optimizer)
        if self.steps < UNTIL:
            self.listen(Step)

    def step(self, event: Step) -> None:
        self.steps += 1
        if self.steps == UNTIL:
            self.ignore(Step)
        self._look(event.optimizer)

    def epoch_end(self, event: EpochEnd) -> None:
        for optimizer in self.optimizers:
            self._look(optimizer)

    def run_end(self, event: RunEnd) -> None:
        for optimizer in self.optimizers:
            self._look(optimizer)

    def _look(self, optimizer: Any) -> None:
        if "lr" not in vars(optimizer) or self.said:
            return
        rates = [group["lr"] for group in optimizer.param_groups]
        own = type(optimizer).__module__.startswith("torch.optim.")
        # One that is in force is noted; one that comes into force may be.
        if not own or optimizer.lr in rates:
            return
        self.said = True  # all files are read for it, once
        place = None if any(rates_set()) else only_set_at("lr", owned=True)
        if place is not None:
            says = say("attribute-nobody-reads", optimizer=spoken(optimizer))
            self.report(says, where=place)
