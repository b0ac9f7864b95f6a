"""What makes a GPU wait, or its host."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import torch

from keng.model import Span
from keng.run.events import AsyncCopy, Forward, HostRead, StepEnd
from keng.run.frames import here
from keng.run.moments import CudnnSearch, DeviceCopy, DeviceReads
from keng.run.recorder import Recorder
from keng.run.sampling import Sampler
from keng.run.state import Facts, PlaceFacts, RunState

if TYPE_CHECKING:
    from torch.nn import Module

STEPS = (3, 4)
SHAPES = 64


class Searches(Recorder):
    provides = ("cudnn.search",)
    sampled = (Forward,)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.shapes: WeakKeyDictionary[Module, set[Any]] = WeakKeyDictionary()
        self.sampler = Sampler(first=40, every=20)

    def forward(self, event: Forward) -> None:
        inputs = event.inputs
        if not torch.backends.cudnn.benchmark:
            # Who wants it says so before the first forward.
            self.ignore(Forward)
            return
        if not inputs or not self.sampler.due():
            return
        seen = self.shapes.setdefault(event.module, set())
        if len(seen) < SHAPES:
            seen.add(tuple(inputs[0].shape))
        deterministic = torch.backends.cudnn.deterministic
        moment = CudnnSearch(self.run.step, Facts(), deterministic, len(seen), inputs[0].is_cuda)
        self.run.show("cudnn.search", moment)


class Reads(Recorder):
    """Reads of values from a device, counted by line in two early steps."""

    provides = ("device.reads",)

    @classmethod
    def possible(cls) -> bool:
        return torch.cuda.is_available()

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
            moment = DeviceReads(self.run.step, PlaceFacts(place), reads)
            self.run.show("device.reads", moment)


class Copies(Recorder):
    provides = ("device.copy",)

    @classmethod
    def possible(cls) -> bool:
        return torch.cuda.is_available()

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.sampler = Sampler(every=1000)

    def async_copy(self, event: AsyncCopy) -> None:
        tensor = event.tensor
        if tensor.is_cpu and event.result.is_cuda and not tensor.is_pinned() and self.sampler.due():
            size = tensor.numel() * tensor.element_size()
            self.run.show("device.copy", DeviceCopy(self.run.step, Facts(), size))
