"""A running program: one tensor of a batch holds a single sample, and broadcasting hides it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from keng.model import say
from keng.run.events import Batch, EpochBegin
from keng.run.frames import key_in
from keng.run.recorder import Recorder
from keng.run.state import RunState, unwatched

if TYPE_CHECKING:
    from torch import Tensor

BATCHES = 3
"""A tensor that is the same in all of them is meant for all samples, as a mask or a table is."""
Kept = dict[str, tuple[tuple[int, ...], "Tensor"]]


class BatchRows(Recorder):
    """The first batches of each loader. After them it rests until another loader begins."""

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.seen: WeakKeyDictionary[Any, list[Kept]] = WeakKeyDictionary()

    def epoch_begin(self, event: EpochBegin) -> None:
        if event.iterator._index_sampler not in self.seen:
            self.listen(Batch)

    def batch(self, event: Batch) -> None:
        loader = event.iterator._index_sampler
        seen = self.seen.setdefault(loader, [])
        if len(seen) == BATCHES:
            if all(len(each) == BATCHES for each in self.seen.values()):
                self.ignore(Batch)
            return
        samples = getattr(loader, "batch_size", None)
        with unwatched():
            seen.append(_collapsed(event.batch, samples) if isinstance(samples, int) else {})
        if len(seen) == BATCHES:
            for name in seen[0]:
                self._judge(name, [kept.get(name) for kept in seen], samples)
            seen[:] = [{}] * BATCHES

    def _judge(self, name: str, kept: list[Any], samples: Any) -> None:
        if any(each is None or each[0] != kept[0][0] for each in kept):
            return
        with unwatched():
            constant = any(one[1].equal(other[1]) for one, other in pairwise(kept))
        if not constant:
            says = say("one-row-for-all", name=name, shape=kept[0][0], samples=samples)
            self.report(says, samples=samples)


def _collapsed(batch: Any, samples: int) -> Kept:
    """The tensors of one row, by their names, where all others have as many rows as samples were drawn."""
    import torch

    named = {n: t for n, t in _named(batch) if t.dim() and t.layout is torch.strided and t.is_cpu}
    ones = {n: t for n, t in named.items() if t.shape[0] == 1 and t.dim() > 1 and t.numel() > 1}
    others = [t for n, t in named.items() if t.dim() and n not in ones and t.numel() > 1]
    if samples < 2 or not others or any(t.shape[0] != samples for t in others):
        return {}
    return {
        n: (tuple(t.shape), t.detach().reshape(-1)[:64].clone())
        for n, t in ones.items()
        if t.is_floating_point()
    }


def _named(batch: Any, path: str = "batch", depth: int = 3) -> Iterator[tuple[str, Tensor]]:
    """The tensors of a batch, as one would write to get at them."""
    import torch

    if isinstance(batch, torch.Tensor):
        yield path, batch
    elif depth and hasattr(batch, "items"):
        for key, value in batch.items():
            yield from _named(value, f"{path}[{key_in(key)}]", depth - 1)
    elif depth and isinstance(batch, (tuple, list)):
        for index, value in enumerate(batch):
            yield from _named(value, f"{path}[{index}]", depth - 1)
