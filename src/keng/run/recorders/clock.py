"""The clock of a run, and its end."""

from __future__ import annotations

from keng.run.events import StepEnd
from keng.run.recorder import Recorder
from keng.run.state import RunState


class Clock(Recorder):
    def step_end(self, event: StepEnd) -> None:
        self.run.step += 1


class Limit(Recorder):
    """Ends the program after so many steps as `sys.exit()` does: what it does at its end, it does."""

    def __init__(self, run: RunState, steps: int) -> None:
        super().__init__(run)
        self.steps = steps

    def step_end(self, event: StepEnd) -> None:
        if self.run.step > self.steps:
            raise SystemExit
