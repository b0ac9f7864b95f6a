"""A running program: a schedule that was created for the number of batches steps once for several of them, or its
warm-up is as long as the run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from types import CellType, FunctionType
from typing import Any
from weakref import WeakKeyDictionary

from torch.optim.lr_scheduler import LambdaLR

from keng.model import Span, say
from keng.pitfalls.training._shared_run import planned_steps
from keng.run.events import Backward, RunEnd, SchedulerInit, SchedulerStep, Step
from keng.run.frames import here
from keng.run.recorder import Recorder
from keng.run.state import RunState

STEPS = 16
"""Steps of the optimizer of which the backwards are counted."""
LEAST, CLOSE = 8, 0.06
"""Steps that a schedule has taken, and how far their number may be from its length over the batches of a step:
the last step of each epoch may have fewer."""

RISING, LOW = 8, 0.1
"""Steps of which each has a higher rate than the one before; share to which the next step falls."""
NAMES = {"max", "min", "float", "math", "cos", "pi", "exp", "sqrt", "pow", "abs"}
"""What such a function may call."""


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
        planned = planned_steps(event.scheduler)
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


@dataclass(slots=True)
class Rise:
    """The factors of a `LambdaLR`: of its first step, at half of those that it has taken, and now. `factor` gives
    those that would follow."""

    factor: Callable[[int], float]
    where: Span | None
    taken: int = 0
    factors: list[float] = field(default_factory=list)

    def rises(self) -> bool:
        pairs = zip(self.factors, self.factors[1:], strict=False)
        return len(self.factors) >= RISING and all(one < other for one, other in pairs)


class RisingSchedules(Recorder):
    """Schedules by a function of plain numbers whose factor rises at each step until it falls to almost nothing at
    the next. At the end of the run the function is asked for two more steps."""

    dormant = (SchedulerStep,)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.of: WeakKeyDictionary[Any, Rise] = WeakKeyDictionary()
        self.all: list[Rise] = []

    def scheduler_init(self, event: SchedulerInit) -> None:
        scheduler = event.scheduler
        if type(scheduler) is LambdaLR and scheduler not in self.of:
            factor = scheduler.lr_lambdas[0]
            if _depends_on_numbers(factor):
                self.of[scheduler] = Rise(factor, here())
                self.all.append(self.of[scheduler])
                self.listen(SchedulerStep)

    def scheduler_step(self, event: SchedulerStep) -> None:
        rise = self.of.get(event.scheduler)
        first = event.scheduler.base_lrs[0] if rise is not None else 0.0
        if rise is None or not first:
            return
        factor = event.scheduler.get_last_lr()[0] / first
        if rise.rises() and factor <= LOW * rise.factors[-1]:
            self._report(rise)
        if rise.factors and factor <= rise.factors[-1]:
            del self.of[event.scheduler]
            rise.factors.clear()
            return
        rise.taken = event.scheduler.last_epoch
        rise.factors.append(factor)
        if len(rise.factors) <= 2 * RISING:
            return
        del rise.factors[1:-1:2]

    def run_end(self, event: RunEnd) -> None:
        for each in self.all:
            if each.rises() and _falls(each.factor, each.taken, each.factors[-1]):
                self._report(each)

    def _report(self, rise: Rise) -> None:
        self.report(say("rises-to-the-end", taken=rise.taken), where=rise.where)


def _depends_on_numbers(factor: Any) -> bool:
    """Whether a function is known to compute from numbers alone: to ask it changes nothing, and to keep it keeps
    nothing alive."""
    if isinstance(factor, partial):
        return factor.func.__module__.startswith("transformers.") and not factor.args
    cells = getattr(factor, "__closure__", None) or ()
    plain = isinstance(factor, FunctionType) and all(_is_number(cell) for cell in cells)
    return plain and not set(factor.__code__.co_names) - NAMES


def _is_number(cell: CellType) -> bool:
    try:
        return isinstance(cell.cell_contents, (int, float))
    except ValueError:  # not yet set
        return False


def _falls(factor: Callable[[int], float], taken: int, last: float) -> bool:
    try:
        return max(float(factor(taken + 1)), float(factor(taken + 2))) <= LOW * last
    except Exception:
        return False
