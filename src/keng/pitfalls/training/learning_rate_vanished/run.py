"""A running program: training goes on after the schedule has brought the learning rate to nothing."""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary, ref

from keng.model import Span, say
from keng.pitfalls.training._shared_run import rates_set
from keng.run.events import EpochBegin, NewOptimizer, Paused, SchedulerStep, StepEnd
from keng.run.frames import here, spoken
from keng.run.recorder import Recorder
from keng.run.state import RunState

NOTHING = 1e-7
"""Of the highest rate that the optimizer has had: next to this, float32 weights do not move."""
STEPS = 20


class VanishedRates(Recorder):
    """A schedule may end at zero; training that continues there was given another length. A rate that is
    set by hand is checked now and then."""

    dormant = (StepEnd,)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.highest: WeakKeyDictionary[Any, float] = WeakKeyDictionary()
        self.low: WeakKeyDictionary[Any, tuple[Any, int, Span | None]] = WeakKeyDictionary()

    def new_optimizer(self, event: NewOptimizer) -> None:
        self._look(event.optimizer, None)

    def scheduler_step(self, event: SchedulerStep) -> None:
        self._look(event.scheduler.optimizer, event.scheduler)

    def paused(self, event: Paused) -> None:
        self._look_at_all()

    def epoch_begin(self, event: EpochBegin) -> None:
        self._look_at_all()

    def _look_at_all(self) -> None:
        for optimizer in list(self.highest):
            self._look(optimizer, None)

    def _look(self, optimizer: Any, scheduler: Any) -> None:
        rate = _rate(optimizer)
        highest = max(rate, self.highest.get(optimizer, _initial(optimizer)))
        self.highest[optimizer] = highest
        if rate > NOTHING * highest:
            self.low.pop(optimizer, None)
        elif highest and optimizer not in self.low:
            by = ref(scheduler) if scheduler is not None else None
            self.low[optimizer] = by, 0, here() if by else _rate_set_at() or here()
            self.listen(StepEnd)

    def step_end(self, event: StepEnd) -> None:
        optimizer = event.optimizer
        if not self.low:
            self.ignore(StepEnd)
        if optimizer not in self.low:
            return
        scheduler, steps, where = self.low[optimizer]
        if scheduler is None and _rate(optimizer) > NOTHING * self.highest[optimizer]:
            del self.low[optimizer]
            return
        self.low[optimizer] = scheduler, steps + 1, where
        if steps + 1 == STEPS:
            self._say(optimizer, scheduler() if scheduler is not None else None, where)

    def _say(self, optimizer: Any, scheduler: Any, where: Span | None) -> None:
        rate, initial = _rate(optimizer), f"{self.highest[optimizer]:.3g}"
        values = {"optimizer": spoken(optimizer), "initial": initial, "rate": f"{rate:.1e}"}
        scheduled = say("scheduler-vanished", scheduler=type(scheduler).__name__, **values)
        says = scheduled if scheduler is not None else say("program-vanished", **values)
        self.report(says, where=where, rate=rate, steps_since=STEPS)


def _rate_set_at() -> Span | None:
    """The one line of the program that sets a rate."""
    found = set(rates_set())
    return found.pop() if len(found) == 1 else None


def _rate(optimizer: Any) -> float:
    return max(float(group.get("lr", 1)) for group in optimizer.param_groups)


def _initial(optimizer: Any) -> float:
    return max(
        float(group.get("initial_lr", group.get("lr", 1))) for group in optimizer.param_groups
    )
