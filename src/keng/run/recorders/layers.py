"""Layers that get a batch of a loader in a shape that they take for something else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from weakref import WeakSet

import torch

from keng.run.bus import Recorder
from keng.run.frames import user_frames
from keng.run.moments import BatchOfOne, Interpolated, Recurrent
from keng.run.sampling import Sampler
from keng.run.state import Facts, Scene, tensors_in

if TYPE_CHECKING:
    from torch import Tensor
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
    makes = ("batch.of.one", "recurrent", "interpolate")
    rests = ("forward",)
    in_stretches = ("batch", "recurrent", "interpolate")

    def __init__(self, scene: Scene) -> None:
        super().__init__(scene)
        self.loader: Any = None
        self.size = 0
        self.foretold: WeakSet[Any] = WeakSet()
        self.sampler = Sampler(every=1000)

    def pass_begin(self, iterator: Any, batch: Any) -> None:
        self.loader = iterator._index_sampler
        if self.loader not in self.foretold:
            self.wake("forward")

    def batch(self, iterator: Any, batch: Any, waited: float) -> None:
        first = next(tensors_in(batch), None)
        self.size = int(first.shape[0]) if first is not None and first.dim() else 0
        self.loader = iterator._index_sampler

    def pass_end(self, iterator: Any) -> None:
        self.loader, self.size = None, 0

    def forward(self, module: Any, args: Any, kwargs: Any, inputs: list[Tensor]) -> None:
        loader = self.loader
        if loader is None or not module.training:
            return
        self.foretold.add(loader)
        self.rest("forward")
        size, samples = getattr(loader, "batch_size", 0), _samples(loader)
        if size and size > 1 and not loader.drop_last and samples % size == 1:
            self.scene.show(
                "batch.of.one", BatchOfOne(self.scene.step, OneFacts(module), samples, size)
            )

    def recurrent(self, function: str, given: Tensor, batch_first: bool) -> None:
        if self.size and given.dim() == 3 and self.sampler.due((function, batch_first)):
            moment = Recurrent(
                self.scene.step, Facts(), function, tuple(given.shape), batch_first, self.size
            )
            self.scene.show("recurrent", moment)

    def interpolate(self, given: Tensor) -> None:
        one = any(frame.f_code.co_name == "__getitem__" for frame in user_frames())
        moment = Interpolated(self.scene.step, Facts(), tuple(given.shape), one)
        self.scene.show("interpolate", moment)


def _samples(loader: Any) -> int:
    try:
        return len(loader.sampler)
    except (TypeError, AttributeError):
        return 0
