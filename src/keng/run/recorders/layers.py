"""Layers that get a batch of a loader in a shape that they take for something else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from weakref import WeakSet

import torch

from keng.run import moments
from keng.run.events import Batch, EpochBegin, EpochEnd, Forward, Interpolate, Recurrent
from keng.run.frames import user_frames
from keng.run.moments import BatchOfOne, Interpolated
from keng.run.recorder import Recorder
from keng.run.sampling import Sampler
from keng.run.state import Facts, RunState, tensors_in

if TYPE_CHECKING:
    from torch.nn import Module


class OneFacts(Facts):
    def __init__(self, module: Module) -> None:
        self._module = module

    def layer(self) -> str:
        """A batch norm over plain vectors. Behind a convolution a map is left, most often."""
        layers = list(self._module.named_modules())
        if any(isinstance(layer, torch.nn.Conv1d) for _, layer in layers):
            return ""
        flat = torch.nn.BatchNorm1d
        names = [name for name, layer in layers if isinstance(layer, flat) and layer.training]
        return names[0] if names else ""


class Layers(Recorder):
    provides = ("batch.of.one", "recurrent", "interpolate")
    dormant = (Forward,)
    sampled = (Batch, Recurrent, Interpolate)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.loader: Any = None
        self.size = 0
        self.foretold: WeakSet[Any] = WeakSet()
        self.sampler = Sampler(every=1000)

    def epoch_begin(self, event: EpochBegin) -> None:
        self.loader = event.iterator._index_sampler
        if self.loader not in self.foretold:
            self.listen(Forward)

    def batch(self, event: Batch) -> None:
        first = next(tensors_in(event.batch), None)
        self.size = int(first.shape[0]) if first is not None and first.dim() else 0
        self.loader = event.iterator._index_sampler

    def epoch_end(self, event: EpochEnd) -> None:
        self.loader, self.size = None, 0

    def forward(self, event: Forward) -> None:
        loader = self.loader
        if loader is None or not event.module.training:
            return
        self.foretold.add(loader)
        self.ignore(Forward)
        size, samples = getattr(loader, "batch_size", 0), _samples(loader)
        if size and size > 1 and not loader.drop_last and samples % size == 1:
            self.run.show(
                "batch.of.one", BatchOfOne(self.run.step, OneFacts(event.module), samples, size)
            )

    def recurrent(self, event: Recurrent) -> None:
        if (
            self.size
            and event.input.dim() == 3
            and self.sampler.due((event.function, event.batch_first))
        ):
            moment = moments.Recurrent(
                self.run.step,
                Facts(),
                event.function,
                tuple(event.input.shape),
                event.batch_first,
                self.size,
            )
            self.run.show("recurrent", moment)

    def interpolate(self, event: Interpolate) -> None:
        one = any(frame.f_code.co_name == "__getitem__" for frame in user_frames())
        moment = Interpolated(self.run.step, Facts(), tuple(event.input.shape), one)
        self.run.show("interpolate", moment)


def _samples(loader: Any) -> int:
    try:
        return len(loader.sampler)
    except (TypeError, AttributeError):
        return 0
