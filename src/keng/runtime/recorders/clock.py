"""The clock of a run."""

from __future__ import annotations

from typing import Any

from keng.runtime.bus import Recorder


class Clock(Recorder):
    def step_end(self, optimizer: Any) -> None:
        self.scene.step += 1
