"""The clock of a run, and its end."""

from __future__ import annotations

from typing import Any

from keng.run.bus import Recorder
from keng.run.state import Scene


class Clock(Recorder):
    def step_end(self, optimizer: Any) -> None:
        self.scene.step += 1


class Limit(Recorder):
    """Ends the program after so many steps as `sys.exit()` does: what it does at its end, it does."""

    def __init__(self, scene: Scene, steps: int) -> None:
        super().__init__(scene)
        self.steps = steps

    def step_end(self, optimizer: Any) -> None:
        if self.scene.step > self.steps:
            raise SystemExit
