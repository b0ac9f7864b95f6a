"""Samples that are the same, by digests of eight and sixteen bytes: memory for millions."""

from __future__ import annotations

import hashlib
import pickle
from array import array
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from keng.toolbox.datasets.gathering import Gathered
from keng.toolbox.datasets.samples import channels_first, is_picture

MOST = 4_000_000
"""Samples whose digests are kept: 16 bytes each, 40 of those that hold a picture."""
NEAR = 6
"""Bits of 128 in which pictures may differ that look alike."""
CROWD = 64
"""Digests alike in a part, above which the part tells nothing, as that of a white border."""
SMALLEST = 16
"""Pixels of the shorter side below which many pictures have the same digest."""
GRID = 9
PIECE = 1 << 16
"""Pairs that are compared at once."""
Pairs = NDArray[np.int64]
"""Rows of a sample and the first one that it is like."""


class Digests:
    """The digests of the inputs of samples, by the number of the sample."""

    def __init__(self) -> None:
        self.indices = array("Q")
        self.exact = array("Q")
        self.picture_indices = array("Q")
        self.pictures = array("Q")
        self.left_out = 0
        self._gathered = Gathered(self._count)

    def add(self, index: int, named: Sequence[tuple[str, Any]]) -> None:
        """Takes what is no single number of the sample: the same input with two labels is found as
        well."""
        if len(self.exact) >= MOST:
            self.left_out += 1
            return
        inputs = [(name, value) for name, value in named if not _single(value)]
        if not inputs:
            return
        self.indices.append(index)
        self.exact.append(digest(inputs))
        picture = next((value for _, value in inputs if is_picture(value)), None)
        if picture is not None:
            self._gathered.add(index, picture)

    def flush(self) -> None:
        self._gathered.flush()

    def merge(self, other: Digests) -> None:
        """Adds those of later samples."""
        room = max(0, MOST - len(self.exact))
        last = other.indices[room] if room < len(other.indices) else None
        for n, index in enumerate(other.picture_indices):
            if last is None or index < last:
                self.picture_indices.append(index)
                self.pictures.extend(other.pictures[2 * n : 2 * n + 2])
        self.left_out += other.left_out + max(0, len(other.exact) - room)
        self.indices.extend(other.indices[:room])
        self.exact.extend(other.exact[:room])

    def _count(self, shape: str, dtype: str, indices: list[int], pictures: Tensor | None) -> None:
        if pictures is not None and min(channels_first(pictures).shape[2:]) >= SMALLEST:
            self.picture_indices.extend(indices)
            self.pictures.extend(perceptual(pictures).flatten().tolist())

    def repeats(self, other: Digests | None = None) -> Pairs:
        """Samples with the same input as an earlier one, or as one of another set."""
        mine, before = _numbers(self.exact), _numbers((other or self).exact)
        values, first = np.unique(before, return_index=True)
        if not len(values):
            return np.empty((0, 2), np.int64)
        at = np.searchsorted(values, mine).clip(max=len(values) - 1)
        like = values[at] == mine
        if other is None:
            like &= first[at] != np.arange(len(mine))
        theirs = _numbers((other or self).indices)[first[at[like]]]
        return np.stack([_numbers(self.indices)[like], theirs], axis=1).astype(np.int64)

    def lookalikes(self, other: Digests | None = None) -> Pairs:
        """Pictures that differ in few bits from an earlier one, or from one of another set; those with
        the same input are left out. Of digests that differ in up to 7 of 128 bits, one of the eight
        parts of 16 bits is the same."""
        mine = self._table(self.repeats(other))
        indices, bits, begin = *mine, None
        if other is not None:
            theirs = other._table(other.repeats())
            indices, bits = (np.concatenate(both) for both in zip(theirs, mine, strict=True))
            begin = len(theirs[0])
        nearest = _nearest(bits, begin)
        like = nearest < len(bits)
        return np.stack([indices[like], indices[nearest[like]]], axis=1)

    def _table(self, without: Pairs) -> tuple[Pairs, NDArray[np.uint64]]:
        """The indices of pictures, rising, and their digests."""
        indices = _numbers(self.picture_indices).astype(np.int64)
        order = np.argsort(indices)
        order = order[~np.isin(indices[order], without[:, 0])]
        return indices[order], _numbers(self.pictures).reshape(-1, 2)[order]


def digest(named: Sequence[tuple[str, Any]]) -> int:
    """The first eight bytes of BLAKE2b over names, shapes, dtypes and values. Among a million samples
    the chance that two of them meet unmeant is 1 in 37 million."""
    whole = hashlib.blake2b(digest_size=8)
    for name, value in named:
        if isinstance(value, Tensor):
            whole.update(f"{name} {tuple(value.shape)} {value.dtype} ".encode())
            whole.update(value.contiguous().reshape(-1).view(torch.uint8).numpy().data)
        else:
            whole.update(f"{name} ".encode() + _bytes(value))
    return int.from_bytes(whole.digest(), "little")


def _bytes(value: Any) -> bytes:
    try:
        return pickle.dumps(value, protocol=5)
    except Exception:
        return str(id(value)).encode()  # what cannot be compared is like nothing else


def perceptual(pictures: Tensor) -> NDArray[np.uint64]:
    """The difference hashes of pictures of one shape, 2 times 64 bits each: whether each of the cells of
    a grid of 9 x 9 is brighter than its right and its lower neighbour by 1 % of the range, so that
    flat areas do not speak. Source: Krawetz, "Kind of Like That", 2013."""
    gray = channels_first(pictures).float().nan_to_num(0.0, 0.0, 0.0).mean(1)
    cells = functional.adaptive_avg_pool2d(gray, GRID)
    low, high = gray.flatten(1).aminmax(dim=1)
    step = 0.01 * (high - low).view(-1, 1, 1)
    across = cells[:, :8, 1:] - cells[:, :8, :-1] > step
    down = cells[:, 1:, :8] - cells[:, :-1, :8] > step
    bits = torch.stack([across.flatten(1), down.flatten(1)], dim=1).numpy()
    return np.packbits(bits, axis=2).view("<u8")[:, :, 0]


def _single(value: Any) -> bool:
    if isinstance(value, Tensor):
        return value.numel() <= 1
    return value is None or isinstance(value, bool | int | float)


def _numbers(values: array[int]) -> NDArray[np.uint64]:
    """Without a copy."""
    return np.frombuffer(values, dtype=np.uint64) if values else np.empty(0, np.uint64)


def _set_bits(rows: NDArray[np.uint64]) -> NDArray[np.int64]:
    """How many bits of each row are set, (rows, numbers) -> (rows,)."""
    counts: NDArray[np.int64]
    if hasattr(np, "bitwise_count"):
        counts = np.bitwise_count(rows).sum(axis=1, dtype=np.int64)
    else:  # NumPy 1.26
        counts = np.unpackbits(rows.view(np.uint8), axis=1).sum(axis=1, dtype=np.int64)
    return counts


def _nearest(bits: NDArray[np.uint64], begin: int | None) -> Pairs:
    """For each row the first before it that it is like, or how many rows there are. With `begin`, rows
    from there on are compared with those before it alone."""
    nearest = np.full(len(bits), len(bits))
    for part in np.ascontiguousarray(bits).view(np.uint16).T:
        order = np.argsort(part, kind="stable")
        key = part[order]
        where = np.flatnonzero(np.bincount(key)[key] <= CROWD)
        for apart in range(1, CROWD):
            where = where[where + apart < len(key)]
            where = where[key[where] == key[where + apart]]
            for piece in np.array_split(where, 1 + len(where) // PIECE):
                early, late = order[piece], order[piece + apart]
                like = _set_bits(bits[early] ^ bits[late]) <= NEAR
                if begin is not None:
                    like &= (early < begin) & (late >= begin)
                nearest[late[like]] = np.minimum(nearest[late[like]], early[like])
    return nearest
