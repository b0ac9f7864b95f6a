"""A running program: a schedule that counts batches is stepped once per epoch."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

from torch.optim.lr_scheduler import CosineAnnealingLR, OneCycleLR

from keng.model import Span, say
from keng.run.events import RunEnd, SchedulerInit, SchedulerStep
from keng.run.frames import here
from keng.run.recorder import Recorder
from keng.run.state import RunState
from keng.run.user_code import code_at

BATCHES = 3
"""Optimizer steps for each step of the schedule at least."""
STEPS = 3
"""Steps that the schedule took at least: fewer may be a run that was stopped."""
NEAR = 0.1
"""Share by which the optimizer's steps may differ from the length of a schedule made for them."""


@dataclass(slots=True)
class Schedule:
    """A schedule of `planned` steps that was created on the line `where` after `begun` optimizer steps,
    took `taken` steps, the last after `last` optimizer steps."""

    kind: str
    planned: int
    where: Span | None
    begun: int
    taken: int = 0
    last: int = 0


class SchedulesByEpoch(Recorder):
    """Schedules of a fixed length. The optimizer took as many steps as a schedule is long, or the program
    says that it counts batches, and the schedule itself took far fewer."""

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.known: WeakKeyDictionary[Any, Schedule] = WeakKeyDictionary()
        self.all: list[Schedule] = []

    def scheduler_init(self, event: SchedulerInit) -> None:
        planned = _length(event.scheduler)
        if planned:
            kind = type(event.scheduler).__name__
            schedule = Schedule(kind, planned, here(), self.run.step)
            self.known[event.scheduler] = schedule
            self.all.append(schedule)

    def scheduler_step(self, event: SchedulerStep) -> None:
        schedule = self.known.get(event.scheduler)
        if schedule is not None:
            schedule.taken += 1
            schedule.last = self.run.step

    def run_end(self, event: RunEnd) -> None:
        for each in self.all:
            steps = each.last - each.begun
            if each.taken < STEPS or steps < BATCHES * each.taken or 2 * each.taken > each.planned:
                continue
            if abs(steps - each.planned) <= NEAR * each.planned or (
                steps < each.planned and _counts_batches(each.where)
            ):
                says = say(
                    "stepped-by-epoch", kind=each.kind, planned=each.planned, taken=each.taken
                )
                self.report(says, where=each.where, planned=each.planned, taken=each.taken)


def _length(scheduler: Any) -> int:
    if type(scheduler) is OneCycleLR:
        return int(scheduler.total_steps)
    return int(scheduler.T_max) if type(scheduler) is CosineAnnealingLR else 0


def _counts_batches(where: Span | None) -> bool:
    """Whether the call at a line is given `steps_per_epoch`."""
    code = code_at(where.path) if where is not None else None
    return code is not None and any(
        call.lineno <= where.line <= (call.end_lineno or call.lineno)
        and any(keyword.arg == "steps_per_epoch" for keyword in call.keywords)
        for call in code.of(ast.Call)
        if where is not None
    )
