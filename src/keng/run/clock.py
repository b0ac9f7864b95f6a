"""Counts the steps of a run, and ends it after some."""

from __future__ import annotations

import torch

from keng.run.events import Backward, RootModule, StepEnd
from keng.run.recorder import Recorder
from keng.run.state import RunState


class TrainingSeen(Recorder):
    """Notes whether there was anything to follow, a model in training or a backward, where another recorder
    asks for these events."""

    prepares = (RootModule, Backward)

    def root_module(self, event: RootModule) -> None:
        self.run.models |= event.module.training and torch.is_grad_enabled()

    def backward(self, event: Backward) -> None:
        self.run.backwards = True
        self.ignore(Backward)


class StepCounter(Recorder):
    """The last of all recorders: the others see the step that ends."""

    def step_end(self, event: StepEnd) -> None:
        self.run.step += 1


class StepLimit(Recorder):
    """Ends the program after so many steps as `sys.exit()` does, with everything that the program does
    at its end."""

    def __init__(self, run: RunState, steps: int) -> None:
        super().__init__(run)
        self.steps = steps

    def step_end(self, event: StepEnd) -> None:
        if self.run.step > self.steps:
            raise SystemExit
