"""Values of the batches that loaders give, on the CPU."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any
from weakref import ref

import torch

from keng.run.bus import Recorder
from keng.run.moments import BatchValues, DirtyInput
from keng.run.recorders.plain import ForwardFacts
from keng.run.replay.forward import first_bad
from keng.run.sampling import Sampler
from keng.run.state import Facts, Scene, aside, tensors_in

if TYPE_CHECKING:
    from torch import Tensor


class Values(Recorder):
    """The smallest and the largest value: they are NaN or infinite where any is. NaN may stand for what is
    missing; it is an error where a module is given it."""

    makes = ("batch.values", "input.dirty")
    rests = ("forward",)

    def __init__(self, scene: Scene) -> None:
        super().__init__(scene)
        self.sampler = Sampler(every=100)
        self.dirty: dict[int, tuple[int, ref[Tensor]]] = {}

    def batch(self, iterator: Any, batch: Any, waited: float) -> None:
        if self.dirty:
            self.dirty.clear()
            self.rest("forward")
        if not self.sampler.due(iterator._num_workers):
            return
        with aside():
            for tensor in tensors_in(batch):
                if tensor.is_cpu and tensor.is_floating_point() and tensor.numel():
                    self._look(iterator._num_yielded, tensor)

    def _look(self, batch: int, tensor: Tensor) -> None:
        if tensor.layout is not torch.strided:
            return
        lowest, highest = (float(value) for value in tensor.aminmax())
        if not (math.isfinite(lowest) and math.isfinite(highest)):
            self.dirty[id(tensor)] = batch, ref(tensor)
            self.wake("forward")
            return
        image = tensor.dim() == 4 and tensor.shape[1] in (1, 3) and min(tensor.shape[2:]) > 1
        moment = BatchValues(self.scene.step, Facts(), batch, lowest, highest, image)
        self.scene.show("batch.values", moment)

    def forward(self, module: Any, args: Any, kwargs: Any, inputs: list[Tensor]) -> None:
        for tensor in inputs:
            batch, known = self.dirty.get(id(tensor), (0, None))
            if known is not None and known() is tensor:
                with aside():
                    outside = ~tensor.isfinite()
                facts = ForwardFacts(self.scene, module)
                sample = first_bad(outside, tensor.shape[0] if tensor.dim() else None)
                moment = DirtyInput(self.scene.step, facts, batch, int(outside.sum()), sample)
                self.scene.show("input.dirty", moment)
