"""Numbers of one part of the samples, as a stream: what is kept does not grow with the samples."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from keng.toolbox.datasets.gathering import Gathered
from keng.toolbox.datasets.labels import Labels
from keng.toolbox.datasets.samples import channels_first, is_picture

NAMED = 8
"""Indices that are kept of those that something holds for."""
KINDS = 256
"""Shapes and dtypes that are distinguished."""
RESERVOIR = 8192
TAKEN = 16
"""Values of a sample that may come into the histogram."""
FLAT = 16
"""Values from which on it says something that all are the same."""

Numbers = NDArray[np.float64]


@dataclass
class Some:
    """Samples of which something holds: how many, and the first of them."""

    count: int = 0
    first: list[int] = field(default_factory=list)

    def add(self, *indices: int) -> None:
        self.count += len(indices)
        self.first = sorted([*self.first, *indices])[:NAMED]


class Reservoir:
    """Some of all values, each with the same chance: Vitter's algorithm R (1985), many at a time."""

    def __init__(self) -> None:
        self.values: Numbers = np.empty(0)
        self._seen = 0
        self._random = np.random.default_rng(0)

    def add(self, values: Numbers) -> None:
        room = RESERVOIR - len(self.values)
        self.values = np.concatenate([self.values, values[:room]])
        rest = values[room:]
        places = self._random.integers(0, self._seen + room + np.arange(1, len(rest) + 1))
        taken = places < RESERVOIR
        self.values[places[taken]] = rest[taken]
        self._seen += len(values)


class Part:
    """What was seen of one part of the samples, after `flush`. `shapes` and `dtypes` tell which samples
    have them, `mean` and `deviation` are by channel in a picture and over all else; not finite numbers
    are left out of them and of the range."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.shapes: dict[str, Some] = {}
        self.dtypes: dict[str, Some] = {}
        self.nan, self.inf, self.constant = Some(), Some(), Some()
        self.unscaled = Some()
        """Pictures of floats that reach above 2, as those of 0 to 255 do."""
        self.pictures = self.whole = 0
        """Pictures of floats, and those of them that hold whole numbers alone."""
        self.minimum, self.maximum = float("inf"), float("-inf")
        self.labels = Labels()
        self.reservoir = Reservoir()
        self._moments: dict[int, Tensor] = {}
        self._gathered = Gathered(self._count)

    def add(self, index: int, value: Any) -> None:
        self._gathered.add(index, value)

    def flush(self) -> None:
        self._gathered.flush()

    def _count(self, shape: str, dtype: str, indices: list[int], values: Tensor | None) -> None:
        _note(self.shapes, shape, indices)
        _note(self.dtypes, dtype, indices)
        if values is None or not values.numel() or values.is_complex():
            return
        single = values[0].numel() == 1 and values.dim() < 3
        if single and not values.is_floating_point():
            self.labels.add(values.flatten().tolist())
        rows, seen = _rows(values).double(), np.array(indices)
        finite = rows.isfinite().flatten(1).all(1)
        if not finite.all():
            dirty = rows[~finite]
            self._count_dirty(seen[~finite.numpy()], dirty, _is_float_picture(values))
            rows, seen = rows[finite], seen[finite.numpy()]
        self._count_finite(seen, rows, _is_float_picture(values))

    def _count_dirty(self, indices: Any, rows: Tensor, picture: bool) -> None:
        self.nan.add(*indices[rows.isnan().flatten(1).any(1).numpy()].tolist())
        self.inf.add(*indices[rows.isinf().flatten(1).any(1).numpy()].tolist())
        for n, each in enumerate(rows):
            left = each[:, each.isfinite().all(0)]
            self._count_finite(indices[n : n + 1], left[None], picture)

    def _count_finite(self, indices: Any, rows: Tensor, picture: bool) -> None:
        """`rows` are samples, channels, values."""
        if not rows.numel():
            return
        flat = rows.flatten(1)
        low, high = flat.aminmax(dim=1)
        if flat.shape[1] >= FLAT:
            self.constant.add(*indices[(low == high).numpy()].tolist())
        if picture:
            self.pictures += len(rows)
            self.unscaled.add(*indices[(high > 2).numpy()].tolist())
            self.whole += int((flat == flat.round()).all(1).sum())
        self.minimum = min(self.minimum, float(low.min()))
        self.maximum = max(self.maximum, float(high.max()))
        new, old = _moments(rows), self._moments.get(rows.shape[1])
        self._moments[rows.shape[1]] = new if old is None else _joined(old, new)
        taken = flat[:, :: max(1, flat.shape[1] // TAKEN)][:, :TAKEN]
        self.reservoir.add(taken.flatten().numpy())

    @property
    def channels(self) -> int:
        """As most samples have them."""
        return max(self._moments, key=lambda n: float(self._moments[n][0, 0]), default=0)

    @property
    def mean(self) -> tuple[float, ...]:
        return tuple(self._moments[self.channels][1].tolist()) if self._moments else ()

    @property
    def deviation(self) -> tuple[float, ...]:
        """Of the population, as a normalization divides by it."""
        if not self._moments:
            return ()
        count, _, squares = self._moments[self.channels]
        return tuple((squares / count).sqrt().tolist())


def _is_float_picture(values: Tensor) -> bool:
    return values.is_floating_point() and is_picture(values[0])


def _rows(values: Tensor) -> Tensor:
    """Samples, channels, values: one channel for what is no picture."""
    if is_picture(values[0]):
        return channels_first(values).flatten(2)
    return values.reshape(len(values), 1, -1)


def _moments(rows: Tensor) -> Tensor:
    """Counts, means and sums of squared deviations by channel."""
    mean = rows.mean((0, 2))
    squares = (rows - mean[:, None]).square().sum((0, 2))
    return torch.stack([torch.full_like(mean, len(rows) * rows.shape[2]), mean, squares])


def _joined(a: Tensor, b: Tensor) -> Tensor:
    """Counts, means and sums of squared deviations of two sets together, exactly as of their union
    (Chan, Golub and LeVeque, 1979)."""
    count, off = a[0] + b[0], b[1] - a[1]
    mean = a[1] + off * b[0] / count
    return torch.stack([count, mean, a[2] + b[2] + off.square() * a[0] * b[0] / count])


def _note(kinds: dict[str, Some], kind: str, indices: Iterable[int]) -> None:
    name = kind if kind in kinds or len(kinds) < KINDS else "others"
    kinds.setdefault(name, Some()).add(*indices)
