"""A running program: each worker goes through the whole of an iterable dataset."""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

import torch

from keng.model import say
from keng.run.events import Batch, EpochBegin
from keng.run.recorder import Recorder
from keng.run.state import RunState, unwatched


class WorkerStreams(Recorder):
    """Batches come from the workers in turn. Where the first of each are alike and the second is not
    like the first, the data are the same and not merely constant."""

    dormant = (Batch,)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.firsts: WeakKeyDictionary[Any, list[Any]] = WeakKeyDictionary()

    def epoch_begin(self, event: EpochBegin) -> None:
        if event.iterator._dataset_kind == 1 and event.iterator._num_workers > 1:
            self.listen(Batch)

    def batch(self, event: Batch) -> None:
        iterator = event.iterator
        if iterator._dataset_kind != 1 or iterator._num_workers < 2:
            return
        workers, number = iterator._num_workers, iterator._num_yielded
        firsts = self.firsts.setdefault(iterator, [])
        if number <= workers:
            firsts.append(event.batch)
        elif number == workers + 1 and firsts:
            with unwatched():
                alike = all(_same(firsts[0], other) for other in firsts[1:])
                if alike and not _same(firsts[0], event.batch):
                    name = type(iterator._dataset).__name__
                    says = say("same-first-batches", workers=workers, name=name)
                    self.report(says, workers=workers)
            firsts.clear()
            self.ignore(Batch)


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, torch.Tensor):
        return isinstance(other, torch.Tensor) and torch.equal(one, other)
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(_same(one[key], other[key]) for key in one)
    if isinstance(one, (list, tuple)):
        return len(one) == len(other) and all(map(_same, one, other))
    return bool(one == other)
