"""A running program: a WeightedRandomSampler has a weight for each class, and not for each sample."""

from __future__ import annotations

from typing import Any
from weakref import WeakSet

from torch.utils.data import WeightedRandomSampler

from keng.model import say
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
            says = say("too-few-weights", weights=weights, samples=length)
            if weights > length:
                last = weights - 1
                says = say("too-many-weights", weights=weights, samples=length, last=last)
            self.report(says, weights=weights)
