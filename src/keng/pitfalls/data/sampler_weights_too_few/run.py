"""A running program: a WeightedRandomSampler has a weight for each class, and not for each sample."""

from __future__ import annotations

from typing import Any
from weakref import WeakSet

from torch.utils.data import WeightedRandomSampler

from keng.pitfalls.data._shared_run import length_of
from keng.run.events import EpochBegin
from keng.run.recorder import Recorder
from keng.run.state import RunState


class WeightedSamplers(Recorder):
    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.known: WeakSet[Any] = WeakSet()

    def epoch_begin(self, event: EpochBegin) -> None:
        sampler = getattr(event.iterator._index_sampler, "sampler", None)
        if not isinstance(sampler, WeightedRandomSampler) or sampler in self.known:
            return
        self.known.add(sampler)
        weights, length = len(sampler.weights), length_of(event.iterator._dataset)
        if 0 < length != weights:
            drawn = f"only the first {weights} are ever drawn"
            if weights > length:
                drawn = f"it draws indices up to {weights - 1}, which the dataset lacks"
            says = f"the sampler has {weights} weights and the dataset {length} samples"
            self.report(f"{says}: {drawn}", weights=weights)
