"""Schedules that were planned for each batch and stepped more seldom."""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

from torch.optim.lr_scheduler import CosineAnnealingLR, OneCycleLR, PolynomialLR

from keng.model import Span
from keng.moments import UnfinishedSchedule
from keng.runtime.bus import Recorder
from keng.runtime.places import here
from keng.runtime.scene import Facts, Scene

PLANS = {OneCycleLR: "total_steps", CosineAnnealingLR: "T_max", PolynomialLR: "total_iters"}


class Schedules(Recorder):
    """One that was made for exactly as many steps as the program's only optimizer took, and took from two to
    half of them itself."""

    makes = ("schedule.unfinished",)

    def __init__(self, scene: Scene) -> None:
        super().__init__(scene)
        self.places: WeakKeyDictionary[Any, Span | None] = WeakKeyDictionary()
        self.optimizers = 0

    def optimizer(self, optimizer: Any) -> None:
        self.optimizers += 1

    def scheduler(self, scheduler: Any) -> None:
        if type(scheduler) in PLANS and scheduler not in self.places:
            self.places[scheduler] = here()

    def end(self) -> None:
        for scheduler, where in self.places.items():
            planned = int(getattr(scheduler, PLANS[type(scheduler)]))
            taken = int(scheduler.last_epoch)
            if (
                self.optimizers == 1
                and planned == self.scene.step - 1
                and 4 <= 2 * taken <= planned
            ):
                name = type(scheduler).__name__
                moment = UnfinishedSchedule(self.scene.step, Facts(), name, planned, taken, where)
                self.scene.show("schedule.unfinished", moment)
