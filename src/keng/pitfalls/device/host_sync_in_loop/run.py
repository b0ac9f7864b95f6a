"""A running program: the host waits for the GPU once for every parameter."""

from __future__ import annotations

from collections import Counter

from keng.model import Span, say
from keng.run.events import HostRead, StepEnd
from keng.run.frames import here
from keng.run.recorder import Recorder
from keng.run.state import RunState

STEPS = (3, 4)
MANY = 10


class HostReads(Recorder):
    """Values that are read from a device, counted by line in two early steps."""

    needs = "cuda"

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.lines: Counter[Span | None] = Counter()

    def host_read(self, event: HostRead) -> None:
        if event.tensor.is_cuda and self.run.step in STEPS:
            self.lines[here()] += 1

    def step_end(self, event: StepEnd) -> None:
        if self.run.step > max(STEPS):
            self.ignore(HostRead, StepEnd)
        lines, self.lines = self.lines, Counter()
        for place, reads in lines.items():
            if reads >= MANY:
                self.report(say("reads-in-one-step", reads=reads), where=place, reads=reads)
