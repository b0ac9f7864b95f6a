"""What a DataLoader's sampler leaves out: a batch that never fills, samples that have no weight."""

from __future__ import annotations

from typing import Any
from weakref import WeakSet

from torch.utils.data import WeightedRandomSampler

from keng.run.events import EpochBegin, EpochEnd
from keng.run.moments import EmptyPass, FewWeights
from keng.run.recorder import Recorder
from keng.run.state import Facts, RunState


class Selections(Recorder):
    provides = ("loader.empty", "sampler.weights")

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.known: WeakSet[Any] = WeakSet()

    def epoch_begin(self, event: EpochBegin) -> None:
        sampler = getattr(event.iterator._index_sampler, "sampler", None)
        if not isinstance(sampler, WeightedRandomSampler) or sampler in self.known:
            return
        self.known.add(sampler)
        weights, length = len(sampler.weights), _length(event.iterator._dataset)
        if 0 < length != weights:
            moment = FewWeights(self.run.step, Facts(), weights, length)
            self.run.show("sampler.weights", moment)

    def epoch_end(self, event: EpochEnd) -> None:
        batches = event.iterator._index_sampler
        if event.iterator._num_yielded or not getattr(batches, "drop_last", False):
            return
        samples, size = _length(getattr(batches, "sampler", None)), batches.batch_size
        if 0 < samples < size:
            self.run.show("loader.empty", EmptyPass(self.run.step, Facts(), samples, size))


def _length(thing: Any) -> int:
    try:
        return len(thing)
    except (TypeError, NotImplementedError):
        return 0
