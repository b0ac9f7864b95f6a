"""What can be foretold of a DataLoader when its first batch comes."""

from __future__ import annotations

import ast
import os
import random
import sys
from collections.abc import Iterator
from typing import Any
from weakref import WeakKeyDictionary

import torch

from keng.model import Span
from keng.run.classes import assigned_at, index_of, returned_at, uses
from keng.run.events import EpochBegin
from keng.run.frames import is_user_made
from keng.run.moments import Kept, LoaderBegun
from keng.run.recorder import Recorder
from keng.run.state import Facts, RunState, tensors_in
from keng.run.worker_seeds import seeded_alike

MANY = 100_000
"""Python objects. Fewer, of some fifty bytes, are not felt when they are copied."""
FEW = 32
"""Transforms in a row. Longer lists are data."""
PLAIN = (list, tuple, range, str, torch.Tensor)
ARRAYS = ("array", "h5py", "numpy", "pandas")
SEEDS = ("seed", "manual_seed", "set_state")
SHARED = "/dev/shm"


class FeedingFacts(Facts):
    def __init__(self, iterator: Any, batch: Any, length: int) -> None:
        self._iterator, self._batch, self._length = iterator, batch, length
        self._dataset = iterator._dataset

    def generators(self) -> tuple[Kept, ...]:
        holders = [self._dataset, *_transforms(self._dataset)]
        return tuple(
            kept
            for holder in holders
            for kept in _kept(holder, _is_generator)
            if _draws_from(type(holder), kept.attribute)
        )

    def objects(self) -> tuple[Kept, ...]:
        return tuple(
            k for k in _kept(self._dataset, _is_many) if uses(type(self._dataset), k.attribute)
        )

    def rows(self) -> tuple[Kept, ...]:
        kept = _kept(self._dataset, lambda value: _length(value) > 0 and not _is_numbering(value))
        return tuple(k for k in kept if self._picked_by_index(k.attribute))

    def length_at(self) -> Span | None:
        return returned_at(type(self._dataset), "__len__")

    def constant_seed(self) -> Span | None:
        home = sys.modules.get(type(self._dataset).__module__)
        return seeded_alike(getattr(self._iterator, "_worker_init_fn", None), home)

    def in_flight(self) -> int:
        size = sum(t.numel() * t.element_size() for t in tensors_in(self._batch))
        ready = int(
            (getattr(self._iterator, "_prefetch_factor", 0) or 0) * self._iterator._num_workers
        )
        try:
            return size * min(ready, len(self._iterator._index_sampler))
        except TypeError:  # a sampler that does not know its length
            return size * ready

    def shared_memory(self) -> int:
        try:
            status = os.statvfs(SHARED)
        except OSError:
            return 0
        return status.f_bavail * status.f_frsize

    def _picked_by_index(self, attribute: str) -> bool:
        index, found = index_of(type(self._dataset)), uses(type(self._dataset), attribute)
        return bool(index and found) and all(
            isinstance(node, ast.Subscript)
            and isinstance(node.slice, ast.Name)
            and node.slice.id == index
            for node in found
        )


class Feeding(Recorder):
    provides = ("loader.begun",)

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.passes: WeakKeyDictionary[Any, int] = WeakKeyDictionary()

    def epoch_begin(self, event: EpochBegin) -> None:
        iterator = event.iterator
        if iterator._dataset_kind != 0:
            return
        sampler = iterator._index_sampler
        passes = self.passes[sampler] = self.passes.get(sampler, 0) + 1
        length = _length(iterator._dataset)
        if passes > 2 or length < 0:
            return
        workers = getattr(iterator, "_workers", [])
        moment = LoaderBegun(
            self.run.step,
            FeedingFacts(iterator, event.batch, length),
            workers=len(workers),
            passes=passes if not getattr(iterator, "_persistent_workers", False) else 1,
            length=length,
            seeded=getattr(iterator, "_worker_init_fn", None) is not None,
            forks=any("popen_fork" in type(w._popen).__module__ for w in workers),
        )
        self.run.show("loader.begun", moment)


def _kept(holder: Any, wanted: Any) -> Iterator[Kept]:
    for name, value in list(getattr(holder, "__dict__", {}).items()):
        if wanted(value):
            made = assigned_at(type(holder), name)
            if made is not None:
                yield Kept(name, type(value).__name__, made, max(_length(value), 0))


def _transforms(dataset: Any) -> Iterator[Any]:
    """What the user's own classes have made of the dataset's attributes: `self.transform`, or one of those
    that a list or `self.transform.transforms` holds."""
    for value in list(getattr(dataset, "__dict__", {}).values()):
        for each in _parts(value, 2):
            if is_user_made(each):
                yield each


def _parts(value: Any, depth: int) -> Iterator[Any]:
    inner = value if isinstance(value, (list, tuple)) else getattr(value, "transforms", ())
    if inner is not value:
        yield value
    if depth and isinstance(inner, (list, tuple)) and len(inner) <= FEW:
        for each in inner:
            yield from _parts(each, depth - 1)


def _draws_from(owner: type, attribute: str) -> bool:
    found = uses(owner, attribute)
    return bool(found) and not any(
        isinstance(node, ast.Attribute) and node.attr in SEEDS for node in found
    )


def _is_generator(value: Any) -> bool:
    numpy = sys.modules.get("numpy")
    kinds: tuple[type, ...] = (random.Random, torch.Generator)
    if numpy is not None:
        kinds += (numpy.random.Generator, numpy.random.RandomState)
    return isinstance(value, kinds)


def _is_many(value: Any) -> bool:
    return isinstance(value, (list, tuple, dict)) and len(value) >= MANY


def _is_numbering(value: Any) -> bool:
    """A row of whole numbers may be a table of indices, of which a split uses a part. Only plain containers
    are asked for an item: a sample of a dataset may cost random numbers."""
    if isinstance(value, torch.utils.data.Dataset):
        return False
    kind = type(value)
    if not issubclass(kind, PLAIN) and kind.__module__.partition(".")[0] not in ARRAYS:
        return True
    try:
        return isinstance(value[0], int) or float(value[0]).is_integer()
    except Exception:
        return False


def _length(value: Any) -> int:
    """-1 where it has none."""
    try:
        return len(value)
    except Exception:
        return -1
