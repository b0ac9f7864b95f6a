"""A running program: a DataLoader that drops the last batch has no other."""

from __future__ import annotations

from keng.model import say
from keng.pitfalls.data._shared_run import length_of
from keng.run.events import EpochEnd
from keng.run.recorder import Recorder


class EmptyEpochs(Recorder):
    def epoch_end(self, event: EpochEnd) -> None:
        batches = event.iterator._index_sampler
        if event.iterator._num_yielded or not getattr(batches, "drop_last", False):
            return
        samples, size = length_of(getattr(batches, "sampler", None)), batches.batch_size
        if 0 < samples < size:
            self.report(say("every-batch-dropped", samples=samples, size=size), samples=samples)
