"""A running program: a loader that shuffles returns its batches in the same order in each epoch, or each round
of the loop draws the same numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch.utils.data import RandomSampler

from keng.model import Hits, say
from keng.rules import watches
from keng.run.events import EpochBegin
from keng.run.facts.traced_step import TracedStep, Value
from keng.run.frames import spoken
from keng.run.recorder import Recorder
from keng.run.state import RunState, tensors_in, unwatched

if TYPE_CHECKING:
    from torch import Tensor

EPOCHS = 3
"""Epochs that begin with the same batch."""
ROWS, VALUES = 4, 64
"""Rows of a batch, at least, and values of a row that are compared."""
BATCHES = 3
"""Batches of a dataset, at least: one that fits into a batch has only its rows in another order."""
DATASETS = 16


class EqualOrders(Recorder):
    """Compares the first batches of the epochs over a dataset: a loader may be created again for each."""

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.first: dict[int, tuple[bytes, int]] = {}

    def epoch_begin(self, event: EpochBegin) -> None:
        iterator = event.iterator
        if iterator._dataset_kind != 0 or not _shuffles(iterator):
            return
        dataset = iterator._dataset
        with unwatched():
            digest = next(filter(None, map(_digest, tensors_in(event.batch))), b"")
        before, epochs = self.first.get(id(dataset), (b"", 0))
        if not digest or (not epochs and len(self.first) == DATASETS):
            return
        epochs = epochs + 1 if digest == before else 1
        self.first[id(dataset)] = digest, epochs
        if epochs == EPOCHS:
            self.report(say("same-order-each-epoch", dataset=spoken(dataset), epochs=EPOCHS))


@watches(TracedStep)
def same_numbers_each_round(step: TracedStep) -> Hits:
    """A draw of the loss that both rounds make on one line with the same numbers."""
    inside = {id(value) for loss in step.losses for value in loss.behind()}
    drawn = [[v for v in each if v.drawn and id(v) in inside] for each in _rounds(step)]
    first = {(value.place, value.drawn) for value in drawn[0]}
    for value in drawn[1]:
        if value.place is not None and (value.place, value.drawn) in first:
            yield step.hit(say("same-numbers-each-round", shape=value.shape), where=value.where)
            return


def _rounds(step: TracedStep) -> tuple[tuple[Value, ...], tuple[Value, ...]]:
    return step.values[: step.first], step.values[step.first :]


def _shuffles(iterator: Any) -> bool:
    """Whether torch's own sampler draws an order, of more than a few batches."""
    batches = iterator._index_sampler
    sampler = getattr(batches, "sampler", None)
    size = getattr(batches, "batch_size", None)
    if type(sampler) is not RandomSampler or not isinstance(size, int):
        return False
    return len(sampler) >= BATCHES * size


def _digest(tensor: Tensor) -> bytes:
    """Of a batch whose rows differ; nothing for others."""
    if not tensor.is_cpu or tensor.dim() < 1 or tensor.shape[0] < ROWS:
        return b""
    if not tensor.is_floating_point() or tensor.layout is not torch.strided:
        return b""
    flat = tensor.detach().reshape(tensor.shape[0], -1)
    rows = flat[:, :: max(1, -(-flat.shape[1] // VALUES))].float().contiguous().numpy()
    digests = [row.tobytes() for row in rows]
    return b"".join(digests) if len(set(digests)) == len(digests) else b""
