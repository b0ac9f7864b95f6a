"""What compares ranks is told of no step until the program has joined others: most never do."""

from __future__ import annotations

from collections.abc import Sequence

from keng.run.events import (
    BackwardEnd,
    Batch,
    Forward,
    ForwardEnd,
    ProcessGroupCreated,
    Step,
    StepEnd,
)
from keng.run.recorder import Recorder
from keng.run.state import RunState

STEPS = {Batch, Forward, ForwardEnd, BackwardEnd, Step, StepEnd}


class Jobs(Recorder):
    def __init__(self, run: RunState, recorders: Sequence[Recorder]) -> None:
        super().__init__(run)
        self.recorders = recorders
        for recorder in recorders:
            recorder.dormant = tuple(recorder.handlers.keys() & STEPS)

    def process_group_created(self, event: ProcessGroupCreated) -> None:
        for recorder in self.recorders:
            recorder.listen(*recorder.dormant)
