"""Batches of which one tensor holds a single sample."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from keng.run.bus import Recorder
from keng.run.frames import key_in
from keng.run.moments import CollapsedBatch
from keng.run.state import Facts, Scene, aside

if TYPE_CHECKING:
    from torch import Tensor

BATCHES = 3
"""A tensor that is the same in all of them is meant for all samples, as a mask or a table is."""
Kept = dict[str, tuple[tuple[int, ...], "Tensor"]]


class Sizes(Recorder):
    """The first batches of each loader. After them it rests until another loader begins."""

    makes = ("batch.collapsed",)

    def __init__(self, scene: Scene) -> None:
        super().__init__(scene)
        self.seen: WeakKeyDictionary[Any, list[Kept]] = WeakKeyDictionary()

    def pass_begin(self, iterator: Any, batch: Any) -> None:
        if iterator._index_sampler not in self.seen:
            self.wake("batch")

    def batch(self, iterator: Any, batch: Any, waited: float) -> None:
        loader = iterator._index_sampler
        seen = self.seen.setdefault(loader, [])
        if len(seen) == BATCHES:
            if all(len(each) == BATCHES for each in self.seen.values()):
                self.rest("batch")
            return
        samples = getattr(loader, "batch_size", None)
        with aside():
            seen.append(_collapsed(batch, samples) if isinstance(samples, int) else {})
        if len(seen) == BATCHES:
            for name in seen[0]:
                self._judge(name, [kept.get(name) for kept in seen], samples)
            seen[:] = [{}] * BATCHES

    def _judge(self, name: str, kept: list[Any], samples: Any) -> None:
        if any(each is None or each[0] != kept[0][0] for each in kept):
            return
        with aside():
            constant = any(one[1].equal(other[1]) for one, other in pairwise(kept))
        if not constant:
            moment = CollapsedBatch(self.scene.step, Facts(), name, samples, kept[0][0])
            self.scene.show("batch.collapsed", moment)


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
