"""Schedules that step at another pace than they were planned for, or not at all."""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

from torch.optim.lr_scheduler import CosineAnnealingLR, OneCycleLR, PolynomialLR

from keng.model import Span
from keng.run.bus import Recorder
from keng.run.frames import here
from keng.run.lines import left_alone
from keng.run.moments import HurriedSchedule, IdleSchedule, UnfinishedSchedule
from keng.run.state import Facts, PlaceFacts, Scene

PLANS = {OneCycleLR: "total_steps", CosineAnnealingLR: "T_max", PolynomialLR: "total_iters"}
EPOCHS = 5
"""Passes over data, with steps, after which a schedule that has not stepped is taken for forgotten."""


class Schedules(Recorder):
    """One that was made for exactly as many steps as the program's only optimizer took, and took from two to
    half of them itself. One that was made for as many as there were epochs, and took each step of the
    optimizer's: a cosine goes up again. One that nothing steps."""

    makes = ("schedule.unfinished", "schedule.hurried", "schedule.idle")

    def __init__(self, scene: Scene) -> None:
        super().__init__(scene)
        self.places: WeakKeyDictionary[Any, Span | None] = WeakKeyDictionary()
        self.made: WeakKeyDictionary[Any, Span | None] = WeakKeyDictionary()
        self.hurried: dict[tuple[int, Span | None], int] = {}
        self.optimizers = 0
        self.passes = 0
        self.steps = 0

    def optimizer(self, optimizer: Any) -> None:
        self.optimizers += 1

    def scheduled(self, scheduler: Any) -> None:
        self.made.setdefault(scheduler, here())

    def scheduler(self, scheduler: Any) -> None:
        if type(scheduler) in PLANS and scheduler not in self.places:
            self.places[scheduler] = here()

    def pass_end(self, iterator: Any) -> None:
        steps = self.scene.step - 1
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
                moment = IdleSchedule(self.scene.step, facts, name, kind, self.passes)
                self.scene.show("schedule.idle", moment)

    def end(self) -> None:
        for (planned, where), taken in self.hurried.items():
            if self.optimizers == 1 and planned == self.passes > 1 and taken >= 2 * planned:
                hurried = HurriedSchedule(self.scene.step, PlaceFacts(where), planned, taken)
                self.scene.show("schedule.hurried", hurried)
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
