"""The values of the batches that loaders return, on the CPU."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING
from weakref import ref

import torch

from keng.run.events import Batch, Forward
from keng.run.graph.nonfinite import first_bad
from keng.run.recorder import Fact, Recorder
from keng.run.sampling import Sampler
from keng.run.state import RunState, tensors_in, unwatched

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Module


class BatchValues(Fact):
    """The smallest and the largest value of a floating-point tensor of a batch, as a loader returned
    it; all are finite. `image` where the shape is (N, 1 or 3, H, W)."""

    lowest: float
    highest: float
    image: bool


class DirtyInput(Fact):
    """A tensor of a batch that holds `not_finite` values which are NaN or infinite was given to a
    module as it is. `batch` counts from 1 in the epoch, `sample` from 0 in the batch."""

    module: Module
    batch: int
    not_finite: int
    sample: int | None


class LoaderValues(Recorder):
    """The smallest and the largest value: they are NaN or infinite where any is. NaN may stand for what is
    missing; it is an error where a module is given it."""

    provides = (BatchValues, DirtyInput)
    dormant = (Forward,)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.sampler = Sampler(every=100)
        self.dirty: dict[int, tuple[int, ref[Tensor]]] = {}

    def batch(self, event: Batch) -> None:
        if self.dirty:
            self.dirty.clear()
            self.ignore(Forward)
        if not self.sampler.due(event.iterator._num_workers):
            return
        with unwatched():
            for tensor in tensors_in(event.batch):
                if tensor.is_cpu and tensor.is_floating_point() and tensor.numel():
                    self._look(event.iterator._num_yielded, tensor)

    def _look(self, batch: int, tensor: Tensor) -> None:
        if tensor.layout is not torch.strided:
            return
        lowest, highest = (float(value) for value in tensor.aminmax())
        if not (math.isfinite(lowest) and math.isfinite(highest)):
            self.dirty[id(tensor)] = batch, ref(tensor)
            self.listen(Forward)
            return
        image = tensor.dim() == 4 and tensor.shape[1] in (1, 3) and min(tensor.shape[2:]) > 1
        self.show(BatchValues(self.run, lowest, highest, image))

    def forward(self, event: Forward) -> None:
        for tensor in event.inputs:
            batch, known = self.dirty.get(id(tensor), (0, None))
            if known is not None and known() is tensor:
                with unwatched():
                    outside = ~tensor.isfinite()
                sample = first_bad(outside, tensor.shape[0] if tensor.dim() else None)
                self.show(DirtyInput(self.run, event.module, batch, int(outside.sum()), sample))
