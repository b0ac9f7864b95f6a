"""A running program: the scheduler is made and never stepped."""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

from keng.model import Span, say
from keng.pitfalls.training._shared_run import TrainingEpochs
from keng.run.events import EpochEnd, SchedulerInit
from keng.run.frames import here
from keng.run.lines import left_alone
from keng.run.recorder import Recorder
from keng.run.state import RunState

EPOCHS = 5
"""Epochs, with steps, after which a scheduler that has not stepped is considered forgotten."""


class IdleSchedulers(Recorder):
    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.created: WeakKeyDictionary[Any, Span | None] = WeakKeyDictionary()
        self.epochs = TrainingEpochs()

    def scheduler_init(self, event: SchedulerInit) -> None:
        self.created.setdefault(event.scheduler, here())

    def epoch_end(self, event: EpochEnd) -> None:
        if self.epochs.count(self.run.step - 1) and self.epochs.number == EPOCHS:
            self._report()

    def _report(self) -> None:
        moving = {id(each.optimizer) for each in self.created if each._step_count > 1}
        for scheduler, where in list(self.created.items()):
            idle = scheduler._step_count == 1 and id(scheduler.optimizer) not in moving
            name = left_alone(where) if idle and where is not None else ""
            if name:
                kind = type(scheduler).__name__
                says = say("never-stepped", scheduler=name, kind=kind, epochs=EPOCHS)
                self.report(says, where=where, epochs=EPOCHS)
