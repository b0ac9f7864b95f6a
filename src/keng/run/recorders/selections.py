"""What a DataLoader's sampler leaves out: a batch that never fills, samples that have no weight."""

from __future__ import annotations

from typing import Any
from weakref import WeakSet

from torch.utils.data import WeightedRandomSampler

from keng.run.bus import Recorder
from keng.run.moments import EmptyPass, FewWeights
from keng.run.state import Facts, Scene


class Selections(Recorder):
    makes = ("loader.empty", "sampler.weights")

    def __init__(self, scene: Scene) -> None:
        super().__init__(scene)
        self.known: WeakSet[Any] = WeakSet()

    def pass_begin(self, iterator: Any, batch: Any) -> None:
        sampler = getattr(iterator._index_sampler, "sampler", None)
        if not isinstance(sampler, WeightedRandomSampler) or sampler in self.known:
            return
        self.known.add(sampler)
        weights, length = len(sampler.weights), _length(iterator._dataset)
        if 0 < length != weights:
            moment = FewWeights(self.scene.step, Facts(), weights, length)
            self.scene.show("sampler.weights", moment)

    def pass_end(self, iterator: Any) -> None:
        batches = iterator._index_sampler
        if iterator._num_yielded or not getattr(batches, "drop_last", False):
            return
        samples, size = _length(getattr(batches, "sampler", None)), batches.batch_size
        if 0 < samples < size:
            self.scene.show("loader.empty", EmptyPass(self.scene.step, Facts(), samples, size))


def _length(thing: Any) -> int:
    try:
        return len(thing)
    except (TypeError, NotImplementedError):
        return 0
