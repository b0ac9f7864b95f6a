"""A running program: a schedule that was created for the number of batches steps once for several of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

from torch.optim import lr_scheduler

from keng.model import Span, say
from keng.run.events import Backward, RunEnd, SchedulerInit, SchedulerStep, Step
from keng.run.frames import here
from keng.run.recorder import Recorder
from keng.run.state import RunState

STEPS = 16
"""Steps of the optimizer of which the backwards are counted."""
LEAST, CLOSE = 8, 0.06
"""Steps that a schedule has taken, and how far their number may be from its length over the batches of a step:
the last step of each epoch may have fewer."""
PLANNED = "num_training_steps"
"""What the schedules of transformers are given."""


@dataclass(slots=True)
class Course:
    """A schedule by itself: at the end of the run the scheduler may be gone."""

    kind: str
    planned: int
    where: Span | None
    taken: int = 0


class UnfinishedSchedules(Recorder):
    """Compares, at the end of the run, the length of each schedule with the steps that it has taken, where every
    step of the one optimizer had the same number of backwards."""

    dormant = (SchedulerStep,)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.of: WeakKeyDictionary[Any, Course] = WeakKeyDictionary()
        self.courses: list[Course] = []
        self.backwards = self.steps = 0
        self.rounds: set[int] = set()
        self.optimizer: Any = None

    def scheduler_init(self, event: SchedulerInit) -> None:
        planned = _planned(event.scheduler)
        if planned is not None and event.scheduler not in self.of:
            course = self.of[event.scheduler] = Course(
                type(event.scheduler).__name__, planned, here()
            )
            self.courses.append(course)
            self.listen(SchedulerStep)

    def scheduler_step(self, event: SchedulerStep) -> None:
        course = self.of.get(event.scheduler)
        if course is not None:
            course.taken = event.scheduler.last_epoch

    def backward(self, event: Backward) -> None:
        self.backwards += event.accumulates

    def step(self, event: Step) -> None:
        self.rounds.add(self.backwards)
        self.backwards = 0
        self.steps += 1
        alone = self.optimizer in (None, id(event.optimizer))
        self.optimizer = id(event.optimizer)
        if self.steps == STEPS or not alone or len(self.rounds) > 2:
            self.ignore(Backward, Step)
        if not alone:
            self.rounds.clear()

    def run_end(self, event: RunEnd) -> None:
        rounds = max(self.rounds, default=1)
        if rounds < 2 or len(self.rounds) > 2:
            return
        for each in self.courses:
            values = {"kind": each.kind, "planned": each.planned, "taken": each.taken}
            if each.taken >= LEAST and abs(rounds * each.taken / each.planned - 1) <= CLOSE:
                says = say("planned-for-batches", **values, rounds=rounds)
                self.report(says, where=each.where, step=self.run.step - 1)


def _planned(scheduler: Any) -> int | None:
    """The steps after which a schedule ends, where that is known."""
    match scheduler:
        case lr_scheduler.OneCycleLR(total_steps=int(steps)):
            return steps
        case lr_scheduler.CosineAnnealingLR(T_max=int(steps)):
            return steps
        case lr_scheduler.PolynomialLR(total_iters=int(steps)):
            return steps
        case lr_scheduler.LambdaLR(lr_lambdas=[function, *_]):
            given = getattr(function, "keywords", {}).get(PLANNED)
            return given if isinstance(given, int) else None
    return None
