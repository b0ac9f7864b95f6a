"""Samples that are the same, by digests of eight and sixteen bytes: memory for millions."""

from __future__ import annotations

import hashlib
import pickle
from array import array
from collections.abc import Sequence
from typing import Any, NamedTuple

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
Table = tuple[NDArray[np.int64], NDArray[np.uint64]]
"""Indices of samples, and their digests: one number each, or two."""
Part = tuple[int, int]
"""One of so many ranges of the hashes."""


class Found(NamedTuple):
    """What several processes have found together: pairs within a set, and with another one."""

    repeats: Pairs
    repeats_between: Pairs
    lookalikes: Pairs
    lookalikes_between: Pairs


class Digests:
    """The digests of the inputs of samples, by the number of the sample."""

    def __init__(self) -> None:
        self.indices = array("Q")
        self.exact = array("Q")
        self.picture_indices = array("Q")
        self.pictures = array("Q")
        self.left_out = 0
        self.elsewhere = 0
        """Samples whose digests other processes hold, which have compared them: see alike.py."""
        self.found: Found | None = None
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

    def __len__(self) -> int:
        return len(self.exact) + self.elsewhere

    def merge(self, other: Digests) -> None:
        """Adds those of later samples."""
        room = max(0, MOST - len(self.exact))
        last = other.indices[room] if room < len(other.indices) else None
        for n, index in enumerate(other.picture_indices):
            if last is None or index < last:
                self.picture_indices.append(index)
                self.pictures.extend(other.pictures[2 * n : 2 * n + 2])
        self.left_out += other.left_out + max(0, len(other.exact) - room)
        self.elsewhere += other.elsewhere
        self.indices.extend(other.indices[:room])
        self.exact.extend(other.exact[:room])

    def _count(self, shape: str, dtype: str, indices: list[int], pictures: Tensor | None) -> None:
        if pictures is not None and min(channels_first(pictures).shape[2:]) >= SMALLEST:
            self.picture_indices.extend(indices)
            self.pictures.extend(perceptual(pictures).flatten().tolist())

    def repeats(self, other: Digests | None = None) -> Pairs:
        """Samples with the same input as an earlier one, or as one of another set."""
        if self.found is not None:
            return self.found.repeats if other is None else self.found.repeats_between
        return repeats_of(self.table(), None if other is None else other.table())

    def lookalikes(self, other: Digests | None = None) -> Pairs:
        """Pictures that differ in few bits from an earlier one, or from one of another set; those with
        the same input are left out. Of digests that differ in up to 7 of 128 bits, one of the eight
        parts of 16 bits is the same."""
        if self.found is not None:
            return self.found.lookalikes if other is None else self.found.lookalikes_between
        mine = self.pictures_table(self.repeats(other)[:, 0])
        theirs = None if other is None else other.pictures_table(other.repeats()[:, 0])
        return lookalikes_of(mine, theirs)

    def table(self) -> Table:
        """The indices of the samples, rising, and their digests."""
        return _numbers(self.indices).astype(np.int64), _numbers(self.exact)

    def pictures_table(self, without: NDArray[np.int64]) -> Table:
        """The indices of pictures, rising, and their digests of two numbers, without some of them."""
        indices = _numbers(self.picture_indices).astype(np.int64)
        order = np.argsort(indices)
        order = order[~np.isin(indices[order], without)]
        return indices[order], _numbers(self.pictures).reshape(-1, 2)[order]


def repeats_of(mine: Table, other: Table | None) -> Pairs:
    """Samples with the digest of an earlier one, or of one of another table."""
    (indices, digests), (earlier, before) = mine, mine if other is None else other
    values, first = np.unique(before, return_index=True)
    if not len(values):
        return np.empty((0, 2), np.int64)
    at = np.searchsorted(values, digests).clip(max=len(values) - 1)
    like = values[at] == digests
    if other is None:
        like &= first[at] != np.arange(len(digests))
    return np.stack([indices[like], earlier[first[at[like]]]], axis=1)


def lookalikes_of(mine: Table, other: Table | None, part: Part = (0, 1)) -> Pairs:
    """Pictures and the first that each is like, as far as a part of the hashes shows it."""
    (indices, bits), begin = mine, None
    if other is not None:
        indices, bits = (np.concatenate(both) for both in zip(other, mine, strict=True))
        begin = len(other[0])
    nearest = _nearest(bits, begin, part)
    like = nearest < len(bits)
    return np.stack([indices[like], indices[nearest[like]]], axis=1)


def in_part(digests: NDArray[np.uint64], part: Part) -> NDArray[np.bool_]:
    """Which rows have a hash in one of so many equal ranges: any of the eight, for a picture."""
    number, of = part
    shift, hashes = (32, digests >> np.uint64(32)) if digests.ndim == 1 else (16, _eighths(digests))
    lies: NDArray[np.bool_] = (hashes.astype(np.int64) * of) >> shift == number
    return lies if digests.ndim == 1 else np.asarray(lies.any(axis=1))


def _eighths(bits: NDArray[np.uint64]) -> NDArray[np.uint16]:
    """The eight parts of digests of two numbers, (rows, 8)."""
    return np.ascontiguousarray(bits).view(np.uint16)


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


def _nearest(bits: NDArray[np.uint64], begin: int | None, part: Part) -> Pairs:
    """For each row the first before it that it is like, or how many rows there are. With `begin`, rows
    from there on are compared with those before it alone."""
    number, of = part
    nearest = np.full(len(bits), len(bits))
    for hashes in _eighths(bits).T:
        order = np.argsort(hashes, kind="stable")
        key = hashes[order].astype(np.int64)
        crowded = np.bincount(key)[key] > CROWD if len(key) else np.empty(0, bool)
        where = np.flatnonzero(~crowded & ((key * of) >> 16 == number))
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
