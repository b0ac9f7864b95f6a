"""Schedules that step at another pace than they were planned for, or not at all."""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

from torch.optim.lr_scheduler import CosineAnnealingLR, OneCycleLR, PolynomialLR

from keng.model import Span
from keng.run.events import EpochEnd, NewOptimizer, RunEnd, SchedulerInit, SchedulerStep
from keng.run.frames import here
from keng.run.lines import left_alone
from keng.run.moments import HurriedSchedule, IdleSchedule, UnfinishedSchedule
from keng.run.recorder import Recorder
from keng.run.state import Facts, PlaceFacts, RunState

PLANS = {OneCycleLR: "total_steps", CosineAnnealingLR: "T_max", PolynomialLR: "total_iters"}
EPOCHS = 5
"""Passes over data, with steps, after which a schedule that has not stepped is taken for forgotten."""


class Schedules(Recorder):
    """One that was made for exactly as many steps as the program's only optimizer took, and took from two to
    half of them itself. One that was made for as many as there were epochs, and took each step of the
    optimizer's: a cosine goes up again. One that nothing steps."""

    provides = ("schedule.unfinished", "schedule.hurried", "schedule.idle")

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.places: WeakKeyDictionary[Any, Span | None] = WeakKeyDictionary()
        self.made: WeakKeyDictionary[Any, Span | None] = WeakKeyDictionary()
        self.hurried: dict[tuple[int, Span | None], int] = {}
        self.optimizers = 0
        self.passes = 0
        self.steps = 0

    def new_optimizer(self, event: NewOptimizer) -> None:
        self.optimizers += 1

    def scheduler_init(self, event: SchedulerInit) -> None:
        self.made.setdefault(event.scheduler, here())

    def scheduler_step(self, event: SchedulerStep) -> None:
        scheduler = event.scheduler
        if type(scheduler) in PLANS and scheduler not in self.places:
            self.places[scheduler] = here()

    def epoch_end(self, event: EpochEnd) -> None:
        steps = self.run.step - 1
        if steps == self.steps:
            return  # a validation
        self.steps = steps
        self.passes += 1
        # A program's end has no schedules any more, where a function has made them.
        for scheduler, where in self.places.items():
            if type(scheduler) is CosineAnnealingLR and abs(scheduler.last_epoch - steps) <= 1:
                self.hurried[int(scheduler.T_max), where] = scheduler.last_epoch
        if self.passes == EPOCHS:
            self._say_idle()

    def _say_idle(self) -> None:
        moving = {id(each.optimizer) for each in self.made if each._step_count > 1}
        for scheduler, where in list(self.made.items()):
            rests = scheduler._step_count == 1 and id(scheduler.optimizer) not in moving
            name = left_alone(where) if rests and where is not None else ""
            if name:
                kind, facts = type(scheduler).__name__, PlaceFacts(where)
                moment = IdleSchedule(self.run.step, facts, name, kind, self.passes)
                self.run.show("schedule.idle", moment)

    def run_end(self, event: RunEnd) -> None:
        for (planned, where), taken in self.hurried.items():
            if self.optimizers == 1 and planned == self.passes > 1 and taken >= 2 * planned:
                hurried = HurriedSchedule(self.run.step, PlaceFacts(where), planned, taken)
                self.run.show("schedule.hurried", hurried)
        for scheduler, where in self.places.items():
            planned = int(getattr(scheduler, PLANS[type(scheduler)]))
            taken = int(scheduler.last_epoch)
            if self.optimizers == 1 and planned == self.run.step - 1 and 4 <= 2 * taken <= planned:
                name = type(scheduler).__name__
                moment = UnfinishedSchedule(self.run.step, Facts(), name, planned, taken, where)
                self.run.show("schedule.unfinished", moment)
