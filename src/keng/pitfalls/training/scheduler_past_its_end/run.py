"""A running program: a scheduler takes more steps than it was made for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

from torch.optim.lr_scheduler import CosineAnnealingLR, LambdaLR

from keng.model import Span, say
from keng.pitfalls.training._shared_run import TrainingEpochs, planned_steps
from keng.run.events import EpochEnd, NewOptimizer, RunEnd, SchedulerInit, SchedulerStep
from keng.run.frames import here
from keng.run.recorder import Recorder
from keng.run.state import RunState

FEW, NEAR = 10, 0.05
"""Steps of the optimizer at least, and the share by which their number may differ from a schedule's."""

HIGH = 0.5
"""Share of its first rate to which a schedule has risen again after its end."""


class HurriedSchedules(Recorder):
    """Schedules for as many steps as there were epochs, which took each step of the optimizer's, and schedules
    for the optimizer's steps, which took one for each batch of an accumulation: a cosine goes up again."""

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.places: WeakKeyDictionary[Any, Span | None] = WeakKeyDictionary()
        self.taken: dict[tuple[int, Span | None], int] = {}
        self.last: dict[tuple[int, Span | None], tuple[int, int]] = {}
        self.optimizers = 0
        self.epochs = TrainingEpochs()

    def new_optimizer(self, event: NewOptimizer) -> None:
        self.optimizers += 1

    def scheduler_step(self, event: SchedulerStep) -> None:
        scheduler = event.scheduler
        if type(scheduler) is not CosineAnnealingLR:
            return
        if scheduler not in self.places:
            self.places[scheduler] = here()
        key = int(scheduler.T_max), self.places[scheduler]
        self.last[key] = scheduler.last_epoch, self.run.step - 1

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
        for (planned, where), (taken, steps) in self.last.items():
            near = abs(planned - steps) <= NEAR * planned
            if self.optimizers == 1 and near and planned >= FEW and taken >= 2 * planned:
                says = say("cosine-by-batch", planned=planned, taken=taken)
                self.report(says, where=where, planned=planned, taken=taken)


@dataclass(slots=True)
class Course:
    """A schedule by itself: at the end of the run the scheduler may be gone. `again` is the highest share of its
    first rate that it has reached after its end, with a lower one before."""

    planned: int
    where: Span | None
    lowest: float = 1.0
    again: float = 0.0
    taken: int = 0


class RepeatedSchedules(Recorder):
    """Schedules of transformers for as many steps as there were epochs, whose rate rises again after their end."""

    dormant = (SchedulerStep, EpochEnd)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.of: WeakKeyDictionary[Any, Course] = WeakKeyDictionary()
        self.courses: list[Course] = []
        self.epochs = TrainingEpochs()

    def scheduler_init(self, event: SchedulerInit) -> None:
        scheduler = event.scheduler
        planned = planned_steps(scheduler) if isinstance(scheduler, LambdaLR) else None
        if planned is not None and scheduler not in self.of:
            course = self.of[scheduler] = Course(planned, here())
            self.courses.append(course)
            self.listen(SchedulerStep, EpochEnd)

    def scheduler_step(self, event: SchedulerStep) -> None:
        course = self.of.get(event.scheduler)
        if course is None:
            return
        course.taken = event.scheduler.last_epoch
        first = event.scheduler.base_lrs[0]
        share = event.scheduler.get_last_lr()[0] / first if first else 0.0
        if course.taken >= course.planned:
            course.lowest = min(course.lowest, share)
            course.again = max(course.again, share - course.lowest)

    def epoch_end(self, event: EpochEnd) -> None:
        self.epochs.count(self.run.step - 1)

    def run_end(self, event: RunEnd) -> None:
        for each in self.courses:
            hurried = each.planned == self.epochs.number > 1 and each.taken >= 2 * each.planned
            if hurried and each.again >= HIGH:
                says = say("planned-repeats", planned=each.planned, taken=each.taken)
                self.report(says, where=each.where, planned=each.planned, taken=each.taken)
