"""A running program: a scheduler takes more steps than it was made for."""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

from torch.optim.lr_scheduler import CosineAnnealingLR

from keng.model import Span, say
from keng.pitfalls.training._shared_run import TrainingEpochs
from keng.run.events import EpochEnd, NewOptimizer, RunEnd, SchedulerStep
from keng.run.frames import here
from keng.run.recorder import Recorder
from keng.run.state import RunState


class HurriedSchedules(Recorder):
    """Schedules for as many steps as there were epochs, which took each step of the optimizer's: a cosine
    goes up again."""

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.places: WeakKeyDictionary[Any, Span | None] = WeakKeyDictionary()
        self.taken: dict[tuple[int, Span | None], int] = {}
        self.optimizers = 0
        self.epochs = TrainingEpochs()

    def new_optimizer(self, event: NewOptimizer) -> None:
        self.optimizers += 1

    def scheduler_step(self, event: SchedulerStep) -> None:
        if type(event.scheduler) is CosineAnnealingLR and event.scheduler not in self.places:
            self.places[event.scheduler] = here()

    def epoch_end(self, event: EpochEnd) -> None:
        steps = self.run.step - 1
        if not self.epochs.count(steps):
            return
        # At the end of the program there are no schedulers any more that a function has made.
        for scheduler, where in self.places.items():
            if abs(scheduler.last_epoch - steps) <= 1:
                self.taken[int(scheduler.T_max), where] = scheduler.last_epoch

    def run_end(self, event: RunEnd) -> None:
        for (planned, where), taken in self.taken.items():
            if self.optimizers == 1 and planned == self.epochs.number > 1 and taken >= 2 * planned:
                says = say("cosine-repeats", planned=planned, taken=taken)
                self.report(says, where=where, planned=planned, taken=taken)
