"""A running program: a recurrent layer treats the time steps as the batch."""

from __future__ import annotations

from keng.model import say
from keng.run.events import Batch, EpochEnd, Recurrent
from keng.run.recorder import Recorder
from keng.run.sampling import Sampler
from keng.run.state import RunState, tensors_in


class RecurrentInputs(Recorder):
    """Inputs of recurrent layers, against the size of the batch that a loader gave."""

    sampled = (Batch, Recurrent)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.size = 0
        self.sampler = Sampler(every=1000)

    def batch(self, event: Batch) -> None:
        first = next(tensors_in(event.batch), None)
        self.size = int(first.shape[0]) if first is not None and first.dim() else 0

    def epoch_end(self, event: EpochEnd) -> None:
        self.size = 0

    def recurrent(self, event: Recurrent) -> None:
        if not self.size or event.input.dim() != 3:
            return
        if not self.sampler.due((event.function, event.batch_first)):
            return
        steps, batch, _ = shape = tuple(event.input.shape)
        if not event.batch_first and steps == self.size != batch:
            self.report(say("batch-read-as-time", shape=shape, samples=steps))
