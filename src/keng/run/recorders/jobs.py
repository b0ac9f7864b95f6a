"""What compares ranks is told of no step until the program has joined others: most never do."""

from __future__ import annotations

from collections.abc import Sequence

from keng.run.bus import Recorder
from keng.run.state import Scene

STEPS = {"batch", "forward", "forward_end", "backward_end", "step", "step_end"}


class Jobs(Recorder):
    def __init__(self, scene: Scene, recorders: Sequence[Recorder]) -> None:
        super().__init__(scene)
        self.recorders = recorders
        for recorder in recorders:
            recorder.rests = tuple(recorder.hears() & STEPS)

    def joined(self) -> None:
        for recorder in self.recorders:
            recorder.wake(*recorder.rests)
