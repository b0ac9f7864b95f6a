"""A running program: training continues after the schedule has reduced the learning rate to zero."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary, WeakSet, ref

from keng.model import Span, say
from keng.pitfalls.training._shared_run import rates_set
from keng.run.events import EpochBegin, EpochEnd, NewOptimizer, Paused, SchedulerStep, StepEnd
from keng.run.frames import here, spoken
from keng.run.recorder import Recorder
from keng.run.state import RunState

NOTHING = 1e-7
"""Of the highest rate that the optimizer has had: next to this, float32 weights do not move."""
STEPS = 20


@dataclass(slots=True)
class Low:
    """A rate that has come to nothing: by which scheduler and where, the optimizer's steps and the
    scheduler's since then. `at_epoch` where it came between two epochs; `earlier` counts the steps in
    epochs that have ended. `begun` while an epoch has begun that may be one of validation."""

    scheduler: ref[Any] | None
    where: Span | None
    steps: int = 0
    calls: int = 0
    at_epoch: bool = False
    earlier: int = 0
    begun: bool = False

    def step(self) -> None:
        if self.begun:
            self.begun, self.earlier = False, self.steps
            self.at_epoch |= not self.steps
        self.steps += 1

    def goes_on(self) -> bool:
        """Whether more than one epoch is trained so. A last epoch at rate 0 is where many schedules end."""
        if self.steps < STEPS:
            return False
        return self.earlier > 0 if self.at_epoch else self.scheduler is None or self.calls > 0


class VanishedRates(Recorder):
    """A schedule may end at zero; training that continues there was given another length. A rate that is
    set by hand is checked now and then."""

    dormant = (StepEnd,)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.highest: WeakKeyDictionary[Any, float] = WeakKeyDictionary()
        self.low: WeakKeyDictionary[Any, Low] = WeakKeyDictionary()
        self.said: WeakSet[Any] = WeakSet()
        self.epochs = False

    def new_optimizer(self, event: NewOptimizer) -> None:
        self._look(event.optimizer, None)

    def scheduler_step(self, event: SchedulerStep) -> None:
        optimizer = event.scheduler.optimizer
        if optimizer in self.low:
            self.low[optimizer].calls += 1
        self._look(optimizer, event.scheduler)

    def paused(self, event: Paused) -> None:
        self._look_at_all()

    def epoch_begin(self, event: EpochBegin) -> None:
        self.epochs = True
        self._look_at_all()
        for low in self.low.values():
            low.begun = True

    def epoch_end(self, event: EpochEnd) -> None:
        for low in self.low.values():
            low.begun = False

    def _look_at_all(self) -> None:
        for optimizer in list(self.highest):
            self._look(optimizer, None)

    def _look(self, optimizer: Any, scheduler: Any) -> None:
        rate = _rate(optimizer)
        highest = max(rate, self.highest.get(optimizer, _initial(optimizer)))
        self.highest[optimizer] = highest
        if rate > NOTHING * highest:
            self.low.pop(optimizer, None)
        elif highest and optimizer not in self.low and optimizer not in self.said:
            by = ref(scheduler) if scheduler is not None else None
            where = here() if by else _rate_set_at() or here()
            # When a rate was set by hand is not known: in this epoch, or before it.
            self.low[optimizer] = Low(by, where, at_epoch=by is None and self.epochs)
            self.listen(StepEnd)

    def step_end(self, event: StepEnd) -> None:
        optimizer = event.optimizer
        if not self.low:
            self.ignore(StepEnd)
        low = self.low.get(optimizer)
        if low is None:
            return
        if low.scheduler is None and _rate(optimizer) > NOTHING * self.highest[optimizer]:
            del self.low[optimizer]
            return
        low.step()
        if low.goes_on():
            del self.low[optimizer]
            self.said.add(optimizer)
            self._say(optimizer, low.scheduler() if low.scheduler is not None else None, low)

    def _say(self, optimizer: Any, scheduler: Any, low: Low) -> None:
        rate, initial = _rate(optimizer), f"{self.highest[optimizer]:.3g}"
        values = {"optimizer": spoken(optimizer), "initial": initial, "rate": f"{rate:.1e}"}
        scheduled = say("scheduler-vanished", scheduler=type(scheduler).__name__, **values)
        says = scheduled if scheduler is not None else say("program-vanished", **values)
        self.report(says, where=low.where, rate=rate, steps_since=low.steps)


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
