"""What a data set holds in memory for each of its samples: the same on every rank, where a DistributedSampler
divides it. Nothing is loaded for this, and no sample is asked for."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from itertools import islice
from typing import Any

import torch
from torch.utils.data import DistributedSampler

from keng.model import Span
from keng.ranks.collect import digests
from keng.ranks.reports import Content
from keng.run.frames import here

PLACES, LEAST = 64, 8
"""Samples that are compared, and the fewest."""
DEEPEST, WIDEST = 4, 64
"""Of data sets within data sets, and the attributes of each."""


def content_of(dataset: Any, sampler: Any) -> Content | None:
    """None for a data set that is not divided over all ranks, or holds nothing that is read here."""
    if not isinstance(sampler, DistributedSampler) or sampler.num_replicas != _world():
        return None
    try:
        size = len(dataset)
        rows = {name: row for name, row in _rows(dataset, "", size, DEEPEST) if row}
    except Exception:  # a data set may compute what it is asked for
        return None
    where: Span | None = here()
    return Content(size, rows, where) if rows and size >= LEAST else None


def _world() -> int:
    return torch.distributed.get_world_size()


def _rows(dataset: Any, path: str, size: int, depth: int) -> Iterator[tuple[str, tuple[int, ...]]]:
    """The attributes of a data set and of those in it that have a value for each sample."""
    attributes = vars(dataset) if hasattr(dataset, "__dict__") else {}
    for name, value in list(attributes.items())[:WIDEST]:
        parts = value if isinstance(value, tuple) and len(value) <= WIDEST else (value,)
        for at, part in enumerate(parts):
            inner = f"{path}{name}" if len(parts) == 1 else f"{path}{name}[{at}]"
            if isinstance(part, torch.utils.data.Dataset) and depth:
                yield from _rows(part, f"{inner}.", size, depth - 1)
            else:
                yield inner, _digests(part, size)


def _digests(held: Any, size: int) -> tuple[int, ...]:
    """Of what it has at places over its whole length; empty where it has no value for each sample."""
    step = max(1, size // PLACES)
    if isinstance(held, torch.Tensor):
        if not held.dim() or len(held) != size or not digests.is_whole(held):
            return ()
        kept = held[::step]
        rows = digests.rows([kept], len(kept))
        return () if rows is None else tuple(rows.tolist())
    if isinstance(held, list) and len(held) == size:
        return _plain(held[::step])
    if type(held).__module__ == "numpy" and held.shape[:1] == (size,):
        return tuple(zlib.crc32(row.tobytes()) for row in held[::step])
    return ()


def _plain(values: list[Any]) -> tuple[int, ...]:
    """Digests of words and numbers, or of rows of numbers: whatever else has no value to be read here."""
    kinds = {type(value) for value in values}
    if kinds <= {int, float, str, bytes, bool}:
        return tuple(zlib.crc32(repr(value).encode()) for value in values)
    if kinds == {tuple} or kinds == {list}:
        flat = [_plain(list(islice(value, WIDEST))) for value in values]
        return tuple(hash(row) for row in flat) if all(flat) else ()
    return ()
