"""What makes a GPU wait, or its host."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import torch

from keng.model import Span
from keng.run.bus import Recorder
from keng.run.frames import here
from keng.run.moments import CudnnSearch, DeviceCopy, DeviceReads
from keng.run.sampling import Sampler
from keng.run.state import Facts, PlaceFacts, Scene

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Module

STEPS = (3, 4)
SHAPES = 64


class Searches(Recorder):
    makes = ("cudnn.search",)
    in_stretches = ("forward",)

    def __init__(self, scene: Scene) -> None:
        super().__init__(scene)
        self.shapes: WeakKeyDictionary[Module, set[Any]] = WeakKeyDictionary()
        self.sampler = Sampler(first=40, every=20)

    def forward(self, module: Any, args: Any, kwargs: Any, inputs: list[Tensor]) -> None:
        if not torch.backends.cudnn.benchmark:
            # Who wants it says so before the first forward.
            self.rest("forward")
            return
        if not inputs or not self.sampler.due():
            return
        seen = self.shapes.setdefault(module, set())
        if len(seen) < SHAPES:
            seen.add(tuple(inputs[0].shape))
        deterministic = torch.backends.cudnn.deterministic
        moment = CudnnSearch(self.scene.step, Facts(), deterministic, len(seen), inputs[0].is_cuda)
        self.scene.show("cudnn.search", moment)


class Reads(Recorder):
    """Reads of values from a device, counted by line in two early steps."""

    makes = ("device.reads",)

    @classmethod
    def possible(cls) -> bool:
        return torch.cuda.is_available()

    def __init__(self, scene: Scene) -> None:
        super().__init__(scene)
        self.lines: Counter[Span | None] = Counter()

    def read(self, tensor: Tensor, value: Any) -> None:
        if tensor.is_cuda and self.scene.step in STEPS:
            self.lines[here()] += 1

    def step_end(self, optimizer: Any) -> None:
        if self.scene.step > max(STEPS):
            self.rest("read", "step_end")
        lines, self.lines = self.lines, Counter()
        for place, reads in lines.items():
            moment = DeviceReads(self.scene.step, PlaceFacts(place), reads)
            self.scene.show("device.reads", moment)


class Copies(Recorder):
    makes = ("device.copy",)

    @classmethod
    def possible(cls) -> bool:
        return torch.cuda.is_available()

    def __init__(self, scene: Scene) -> None:
        super().__init__(scene)
        self.sampler = Sampler(every=1000)

    def moved_over(self, tensor: Tensor, result: Tensor) -> None:
        if tensor.is_cpu and result.is_cuda and not tensor.is_pinned() and self.sampler.due():
            size = tensor.numel() * tensor.element_size()
            self.scene.show("device.copy", DeviceCopy(self.scene.step, Facts(), size))
