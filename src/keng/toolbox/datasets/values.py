"""Numbers of one part of the samples, as a stream: what is kept does not grow with the samples."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor

from keng.toolbox.datasets.labels import Labels
from keng.toolbox.datasets.samples import channels_first, is_picture

NAMED = 8
"""Indices that are kept of those that something holds for."""
KINDS = 256
"""Shapes and dtypes that are told apart."""
RESERVOIR = 8192
TAKEN = 16
"""Values of a sample that may come into the histogram."""


@dataclass
class Some:
    """Samples of which something holds: how many, and the first of them."""

    count: int = 0
    first: list[int] = field(default_factory=list)

    def add(self, index: int) -> None:
        self.count += 1
        if len(self.first) < NAMED:
            self.first.append(index)


@dataclass
class Part:
    """What was seen of one part of the samples. `shapes` and `dtypes` tell which samples have them,
    `mean` and `deviation` are by channel in a picture and over all else; not finite numbers are left
    out of them and of the range."""

    name: str
    shapes: dict[str, Some] = field(default_factory=dict)
    dtypes: dict[str, Some] = field(default_factory=dict)
    nan: Some = field(default_factory=Some)
    inf: Some = field(default_factory=Some)
    constant: Some = field(default_factory=Some)
    unscaled: Some = field(default_factory=Some)
    """Pictures of floats that reach above 2, as those of 0 to 255 do."""
    pictures: int = 0
    whole: int = 0
    """Pictures of floats that hold whole numbers alone."""
    scalars: int = 0
    minimum: float = float("inf")
    maximum: float = float("-inf")
    labels: Labels = field(default_factory=Labels)
    sample: list[float] = field(default_factory=list)
    """Values for a histogram, each with the same chance."""
    _seen: int = 0
    _moments: dict[int, Tensor] = field(default_factory=dict)
    _random: random.Random = field(default_factory=lambda: random.Random(0))

    def add(self, index: int, value: Any) -> None:
        shape, dtype = _kind(value)
        _note(self.shapes, shape, index)
        _note(self.dtypes, dtype, index)
        if isinstance(value, Tensor) and value.numel() == 1 and value.dim() < 2:
            value = value.item()
        if isinstance(value, Tensor):
            self._add_tensor(index, value)
        elif isinstance(value, bool | int):
            self.scalars += 1
            self.labels.add(int(value))
            self._add_numbers(torch.tensor([[float(value)]]))
        elif isinstance(value, float):
            self._add_tensor(index, torch.tensor([value]))

    def _add_tensor(self, index: int, value: Tensor) -> None:
        if not value.numel() or value.is_complex() or value.is_sparse:
            return
        picture = is_picture(value)
        rows = channels_first(value).flatten(1) if picture else value.reshape(1, -1)
        rows = rows.double()
        finite = rows.isfinite()
        if not finite.all():
            if rows.isnan().any():
                self.nan.add(index)
            if rows.isinf().any():
                self.inf.add(index)
            rows = rows[:, finite.all(0)]
        if not rows.numel():
            return
        if value.numel() >= 16 and rows.min() == rows.max():
            self.constant.add(index)
        if picture and value.is_floating_point():
            self._add_picture(index, rows)
        self._add_numbers(rows)

    def _add_picture(self, index: int, rows: Tensor) -> None:
        self.pictures += 1
        if rows.max() > 2:
            self.unscaled.add(index)
        self.whole += bool((rows == rows.round()).all())

    def _add_numbers(self, rows: Tensor) -> None:
        self.minimum = min(self.minimum, float(rows.min()))
        self.maximum = max(self.maximum, float(rows.max()))
        new = torch.stack(
            [torch.full((len(rows),), rows.shape[1]).double(), rows.mean(1), _squares(rows)]
        )
        old = self._moments.get(len(rows))
        self._moments[len(rows)] = new if old is None else _joined(old, new)
        flat = rows.flatten()
        for value in flat[:: max(1, len(flat) // TAKEN)].tolist()[:TAKEN]:
            self._keep(value)

    def _keep(self, value: float) -> None:
        """Vitter's algorithm R: each value seen has the same chance to be among those kept."""
        self._seen += 1
        if len(self.sample) < RESERVOIR:
            self.sample.append(value)
        elif (place := self._random.randrange(self._seen)) < RESERVOIR:
            self.sample[place] = value

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


def _squares(rows: Tensor) -> Tensor:
    return (rows - rows.mean(1, keepdim=True)).square().sum(1)


def _joined(a: Tensor, b: Tensor) -> Tensor:
    """Counts, means and sums of squared deviations of two sets together, exactly as of their union
    (Chan, Golub and LeVeque, 1979)."""
    count, off = a[0] + b[0], b[1] - a[1]
    mean = a[1] + off * b[0] / count
    return torch.stack([count, mean, a[2] + b[2] + off.square() * a[0] * b[0] / count])


def _kind(value: Any) -> tuple[str, str]:
    if isinstance(value, Tensor):
        return "x".join(map(str, value.shape)) or "()", str(value.dtype).removeprefix("torch.")
    return "()", type(value).__name__


def _note(kinds: dict[str, Some], kind: str, index: int) -> None:
    if kind in kinds or len(kinds) < KINDS:
        kinds.setdefault(kind, Some()).add(index)
    else:
        kinds.setdefault("others", Some()).add(index)
