"""A running program: the scheduler steps before the optimizer."""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary, WeakSet

from torch.optim.lr_scheduler import CosineAnnealingLR, OneCycleLR, PolynomialLR

from keng.model import Span, say
from keng.run.events import NewOptimizer, RunEnd, ScalerStep, SchedulerStep
from keng.run.frames import here
from keng.run.recorder import Recorder
from keng.run.state import RunState

PLANS = {OneCycleLR: "total_steps", CosineAnnealingLR: "T_max", PolynomialLR: "total_iters"}


class EarlySchedulers(Recorder):
    """Schedulers that step before their optimizer has."""

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.stepped: WeakSet[Any] = WeakSet()

    def new_optimizer(self, event: NewOptimizer) -> None:
        self.stepped.add(event.optimizer)

    def scaler_step(self, event: ScalerStep) -> None:
        """A GradScaler may skip the first steps, which is no fault of the scheduler's."""
        self.stepped.add(event.optimizer)

    def scheduler_step(self, event: SchedulerStep) -> None:
        scheduler, optimizer = event.scheduler, event.scheduler.optimizer
        # `_opt_called` is torch's own note, of steps before the watch as well.
        early = (
            optimizer not in self.stepped
            and not getattr(optimizer, "_opt_called", False)
            and getattr(scheduler, "_step_count", 0) == 2
        )
        if early:
            rate = max(float(group["lr"]) for group in optimizer.param_groups)
            says = say("first-rate-unused", scheduler=type(scheduler).__name__)
            self.report(says, rate=rate)


class UnfinishedSchedules(Recorder):
    """Schedules for exactly as many steps as the program's only optimizer took, of which they took two to
    half themselves."""

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.places: WeakKeyDictionary[Any, Span | None] = WeakKeyDictionary()
        self.optimizers = 0

    def new_optimizer(self, event: NewOptimizer) -> None:
        self.optimizers += 1

    def scheduler_step(self, event: SchedulerStep) -> None:
        if type(event.scheduler) in PLANS and event.scheduler not in self.places:
            self.places[event.scheduler] = here()

    def run_end(self, event: RunEnd) -> None:
        for scheduler, where in self.places.items() if self.optimizers == 1 else ():
            planned = int(getattr(scheduler, PLANS[type(scheduler)]))
            taken = int(scheduler.last_epoch)
            if planned == self.run.step - 1 and 4 <= 2 * taken <= planned:
                name = type(scheduler).__name__
                says = say("meant-per-batch", scheduler=name, planned=planned, taken=taken)
                self.report(says, where=where, planned=planned, taken=taken)
