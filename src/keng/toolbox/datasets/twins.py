"""Samples that are the same, by digests of eight and sixteen bytes: memory for millions."""

from __future__ import annotations

import hashlib
import pickle
from array import array
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from keng.toolbox.datasets.samples import channels_first, is_picture

MOST = 4_000_000
"""Samples whose digests are kept: 24 bytes each."""
NEAR = 6
"""Bits of 128 in which pictures may differ that look alike."""
CROWD = 64
"""Digests alike in a part, above which the part tells nothing, as that of a white border."""
SMALLEST = 16
"""Pixels of the shorter side below which many pictures have the same digest."""
GRID = 9


class Digests:
    """The digests of the inputs of samples, by the number of the sample."""

    def __init__(self) -> None:
        self.indices = array("Q")
        self.exact = array("Q")
        self.picture_indices = array("Q")
        self.pictures = array("Q")
        self.left_out = 0

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
        if picture is not None and min(channels_first(picture).shape[1:]) >= SMALLEST:
            self.picture_indices.append(index)
            self.pictures.extend(perceptual(picture))

    def exact_pairs(self, other: Digests | None = None) -> list[tuple[int, int]]:
        """Samples of this set and earlier ones of it, or ones of another set, with the same input."""
        before = other or self
        first: dict[int, int] = {}
        repeated = _in_both(self.exact, before.exact) if other else _repeated(self.exact)
        for index, value in zip(before.indices, before.exact, strict=True):
            if value in repeated:
                first.setdefault(value, index)
        rows = zip(self.indices, self.exact, strict=True)
        return [
            (index, first[value])
            for index, value in rows
            if value in first and (other is not None or first[value] != index)
        ]

    def near_pairs(self, other: Digests | None = None) -> list[tuple[int, int]]:
        """Pictures that differ in few bits, equal ones included. Of digests that differ in up to 7 of
        128 bits, one of the eight parts of 16 bits is the same."""
        mine = self._table()
        sets = [mine] if other is None else [mine, other._table()]
        indices = np.concatenate([table[0] for table in sets])
        bits = np.concatenate([table[1] for table in sets])
        own = np.arange(len(bits)) < len(mine[0])
        found = set()
        for a, b in _candidates(bits):
            if int(np.bitwise_count(bits[a] ^ bits[b]).sum()) > NEAR:
                continue
            if other is None:
                found.add((int(indices[max(a, b)]), int(indices[min(a, b)])))
            elif own[a] != own[b]:
                found.add((int(indices[min(a, b)]), int(indices[max(a, b)])))
        return sorted(found)

    def _table(self) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
        indices = np.array(self.picture_indices, dtype=np.uint64)
        return indices, np.array(self.pictures, dtype=np.uint64).reshape(-1, 2)


def digest(named: Sequence[tuple[str, Any]]) -> int:
    """The first eight bytes of BLAKE2b over names, shapes, dtypes and values. Among a million samples
    the chance that two of them meet unmeant is 1 in 37 million."""
    whole = hashlib.blake2b(digest_size=8)
    for name, value in named:
        if isinstance(value, Tensor):
            whole.update(f"{name} {tuple(value.shape)} {value.dtype} ".encode())
            whole.update(value.contiguous().reshape(-1).view(torch.uint8).numpy().tobytes())
        else:
            whole.update(f"{name} ".encode() + _bytes(value))
    return int.from_bytes(whole.digest(), "little")


def _bytes(value: Any) -> bytes:
    try:
        return pickle.dumps(value, protocol=5)
    except Exception:
        return str(id(value)).encode()  # what cannot be compared is like nothing else


def perceptual(picture: Tensor) -> tuple[int, int]:
    """The difference hash of a picture, in 2 times 64 bits: whether each of the cells of a grid of
    9 x 9 is brighter than its right and its lower neighbour by 1 % of the range, so that flat areas
    do not speak. Source: Krawetz, "Kind of Like That", 2013."""
    gray = channels_first(picture).float().nan_to_num(0.0, 0.0, 0.0).mean(0)
    cells = functional.adaptive_avg_pool2d(gray[None], GRID)[0]
    step = 0.01 * float(gray.max() - gray.min())
    return _packed(cells[:8, 1:] - cells[:8, :-1] > step), _packed(
        cells[1:, :8] - cells[:-1, :8] > step
    )


def _packed(bits: Tensor) -> int:
    return int.from_bytes(np.packbits(bits.flatten().numpy()).tobytes(), "little")


def _single(value: Any) -> bool:
    if isinstance(value, Tensor):
        return value.numel() <= 1
    return value is None or isinstance(value, bool | int | float)


def _repeated(values: Sequence[int]) -> set[int]:
    found, counts = np.unique(np.array(values, dtype=np.uint64), return_counts=True)
    return set(found[counts > 1].tolist())


def _in_both(a: Sequence[int], b: Sequence[int]) -> set[int]:
    return set(np.intersect1d(np.array(a, np.uint64), np.array(b, np.uint64)).tolist())


def _candidates(bits: NDArray[np.uint64]) -> Iterator[tuple[int, int]]:
    """Pairs of rows that are alike in one of their parts."""
    pieces = np.ascontiguousarray(bits).view(np.uint16)
    for column in pieces.T if len(pieces) else ():
        order = np.argsort(column, kind="stable")
        starts = np.flatnonzero(np.diff(column[order])) + 1
        for group in np.split(order, starts):
            if 1 < len(group) <= CROWD:
                yield from ((int(a), int(b)) for n, a in enumerate(group) for b in group[n + 1 :])
