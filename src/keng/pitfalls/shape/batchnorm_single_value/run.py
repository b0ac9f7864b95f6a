"""A running program: a normalization in training gets one value per channel."""

from __future__ import annotations

from typing import Any
from weakref import WeakSet

import torch

from keng.model import say
from keng.run.events import Batch, EpochBegin, EpochEnd, Forward
from keng.run.recorder import Recorder
from keng.run.state import RunState


class LastBatches(Recorder):
    """Foretells at the first batch of a loader that the last one will hold a single sample."""

    dormant = (Forward,)
    sampled = (Batch,)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.loader: Any = None
        self.known: WeakSet[Any] = WeakSet()

    def epoch_begin(self, event: EpochBegin) -> None:
        self.loader = event.iterator._index_sampler
        if self.loader not in self.known:
            self.listen(Forward)

    def batch(self, event: Batch) -> None:
        self.loader = event.iterator._index_sampler

    def epoch_end(self, event: EpochEnd) -> None:
        self.loader = None

    def forward(self, event: Forward) -> None:
        loader = self.loader
        if loader is None or not event.module.training:
            return
        self.known.add(loader)
        self.ignore(Forward)
        size, samples = getattr(loader, "batch_size", 0), _samples(loader)
        one_left = size and size > 1 and not loader.drop_last and samples % size == 1
        if one_left and (layer := _norm_of_vectors(event.module)):
            says = say("one-sample-left-for", samples=samples, size=size, layer=layer)
            self.report(says)


def _norm_of_vectors(module: torch.nn.Module) -> str:
    """A batch norm over plain vectors, or nothing. Behind a convolution a map is left, most often."""
    layers = list(module.named_modules())
    if any(isinstance(layer, torch.nn.Conv1d) for _, layer in layers):
        return ""
    flat = torch.nn.BatchNorm1d
    return next((name for name, x in layers if isinstance(x, flat) and x.training), "")


def _samples(loader: Any) -> int:
    try:
        return len(loader.sampler)
    except (TypeError, AttributeError):
        return 0
