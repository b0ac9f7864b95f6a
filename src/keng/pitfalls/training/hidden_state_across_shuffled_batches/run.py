"""A running program: a recurrent state is carried into rows of other sequences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from torch.utils.data import BatchSampler, RandomSampler

from keng.model import say
from keng.run.events import Batch, EpochBegin, RecurrentEnd
from keng.run.recorder import Recorder
from keng.run.state import RunState, unwatched

if TYPE_CHECKING:
    from torch import Tensor

BATCHES = 4
"""In a row. A layer that did not begin the last of them with the state of the batch before is no longer
checked."""
LOOKED_AT = 64


@dataclass(slots=True)
class Last:
    """The last call of a layer: in which batch it was, and some of the state that it left."""

    batch: int
    state: Tensor
    carried: int = 0
    judged: int = 0


class CarriedRecurrentState(Recorder):
    """The state with which a layer begins a batch, against the one with which it ended the batch before: by
    their numbers, as a state may be copied on its way. Only layers that learn, and only on the CPU."""

    dormant = (Batch, RecurrentEnd)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.loader: Any = None
        self.batches = 0
        self.layers: dict[int, Last] = {}

    def epoch_begin(self, event: EpochBegin) -> None:
        loader = event.iterator._index_sampler
        shuffles = type(loader) is BatchSampler and type(loader.sampler) is RandomSampler
        if shuffles and self.loader is not loader:
            self.loader = loader
            self.layers.clear()
            self.listen(Batch, RecurrentEnd)

    def batch(self, event: Batch) -> None:
        # A batch of another loader in between: what is carried over may be of that one.
        self.batches += 1 if event.iterator._index_sampler is self.loader else 2

    def recurrent_end(self, event: RecurrentEnd) -> None:
        weight, left = event.weight, event.final_state
        if not left.requires_grad or not left.is_cpu:
            return
        last = self.layers.get(id(weight))
        with unwatched():
            state = left.reshape(-1)[:LOOKED_AT].clone()
            if last is None:
                self.layers[id(weight)] = Last(self.batches, state)
                return
            if last.batch == self.batches - 1:
                same = event.state.reshape(-1)[:LOOKED_AT].equal(last.state) and bool(
                    last.state.any()
                )
                last.carried = last.carried + 1 if same else 0
                last.judged += 1
        last.batch, last.state = self.batches, state
        if last.judged == BATCHES:
            if last.carried == BATCHES:
                known = self.run.parameter_name(weight).rpartition(".")[0]
                named = say("state-carried-over", layer=known)
                says = named if known else say("recurrent-state-carried-over")
                self.report(says, batches=BATCHES)
            if all(layer.judged >= BATCHES for layer in self.layers.values()):
                self.ignore(Batch, RecurrentEnd)
