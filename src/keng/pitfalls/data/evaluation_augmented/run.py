"""A running program: the samples of an evaluation have other values each time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

import torch
from torch import Tensor
from torch.utils.data import SequentialSampler

from keng.model import Span, say
from keng.pitfalls.data._shared_run import can_be_known_again
from keng.run.events import EpochBegin, EpochEnd
from keng.run.frames import here
from keng.run.recorder import Recorder
from keng.run.state import RunState, tensors_in, unwatched

FEWEST = 8
"""Rows of the first batch."""
MOVED = 0.2
"""Share of them that have other values, with the same labels."""
TIMES = 2
"""Evaluations in a row whose first batch differs from that of the one before."""


@dataclass(slots=True)
class First:
    """The first batch of the last pass over a dataset in its own order: labels, values, and the step at which it
    came. `times` counts the passes so far that differed; -1 once the dataset was trained on, or was reported."""

    labels: bytes
    rows: list[bytes]
    step: int
    where: Span | None
    times: int = 0


class RepeatedEvaluations(Recorder):
    """Compares the first batches of passes in which no step was taken, over loaders that do not shuffle."""

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.first: WeakKeyDictionary[Any, First] = WeakKeyDictionary()
        self.begun: WeakKeyDictionary[Any, First] = WeakKeyDictionary()

    def epoch_begin(self, event: EpochBegin) -> None:
        iterator = event.iterator
        sampler = getattr(iterator._index_sampler, "sampler", iterator._index_sampler)
        if iterator._dataset_kind != 0 or type(sampler) is not SequentialSampler:
            return
        if not can_be_known_again(iterator._dataset):
            return
        known = self.first.get(iterator._dataset)
        if known is not None and known.times < 0:
            return
        pair = _labelled(event.batch)
        if pair is not None:
            with unwatched():
                rows, labels = _bytes_of(pair[0]), pair[1].numpy().tobytes()
            self.begun[iterator] = First(labels, rows, self.run.step, here())

    def epoch_end(self, event: EpochEnd) -> None:
        now = self.begun.pop(event.iterator, None)
        if now is None:
            return
        dataset = event.iterator._dataset
        before = self.first.get(dataset)
        self.first[dataset] = now
        if now.step != self.run.step:
            now.times = -1
        elif before is not None and before.labels == now.labels and before.step != now.step:
            pairs = zip(before.rows, now.rows, strict=True)
            moved = sum(one != other for one, other in pairs) / len(now.rows)
            now.times = before.times + 1 if moved >= MOVED else 0
            if now.times == TIMES:
                now.times = -1
                self.report(say("values-change", share=f"{moved:.0%}"), where=now.where)


def _labelled(batch: Any) -> tuple[Tensor, Tensor] | None:
    """The inputs and the labels of a batch on the CPU: real numbers, and a whole number for each row."""
    found = [t for t in tensors_in(batch) if t.is_cpu and t.layout is torch.strided]
    rows = next((t for t in found if t.is_floating_point() and t.dim() > 1), None)
    labels = next((t for t in found if t.dtype is torch.long and t.dim() == 1), None)
    if rows is None or labels is None or not len(rows) == len(labels) >= FEWEST:
        return None
    return rows.detach(), labels


def _bytes_of(rows: Tensor) -> list[bytes]:
    flat = rows.reshape(len(rows), -1)
    return [bytes(row.tobytes()) for row in flat.float().numpy()]
