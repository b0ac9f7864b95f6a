"""What can be read of a dataset, and the parts that a sample has."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.utils.data import DataLoader, IterableDataset, default_collate

MOST_PARTS = 64
"""Parts of a sample that are checked."""
PATIENCE = 100
"""Errors in a row after which a stream is given up."""


class Failed(NamedTuple):
    """A sample that could not be read, and what was raised."""

    error: Exception


class Source:
    """A dataset, or that of a loader, to be read sample by sample: in order of the indices, without
    workers, without batches. Raises: TypeError where `data` is none of them."""

    def __init__(self, data: Any) -> None:
        loader = data if isinstance(data, DataLoader) else None
        self.dataset: Any = data.dataset if loader is not None else data
        self.indexed = not isinstance(self.dataset, IterableDataset)
        self.indexed &= hasattr(type(self.dataset), "__getitem__")
        if not self.indexed and not hasattr(type(self.dataset), "__iter__"):
            name = f"the class {data.__name__}" if isinstance(data, type) else type(data).__name__
            raise TypeError(f"{name} is no dataset: it cannot be read by index or in order")
        self.length = _length(self.dataset)
        if self.indexed and self.length is None:
            raise TypeError(f"{type(self.dataset).__name__} is read by index and has no length")
        self.collates = loader is not None and loader.collate_fn is not default_collate
        """Whether the user's own function makes batches of the samples."""

    def samples(self, indices: range | None = None) -> Iterator[Any]:
        """Each sample, or those of some indices, or Failed in its place."""
        if self.indexed:
            every = range(self.length or 0) if indices is None else indices
            yield from (self.read(index) for index in every)
        else:
            yield from _stream(self.dataset)

    def read(self, index: int) -> Any:
        try:
            return self.dataset[index]
        except Exception as error:
            return Failed(error)


def _length(dataset: Any) -> int | None:
    try:
        return len(dataset)
    except (TypeError, NotImplementedError):
        return None


def _stream(dataset: Any) -> Iterator[Any]:
    in_a_row = 0
    try:
        samples = iter(dataset)
    except Exception as error:
        yield Failed(error)
        return
    while in_a_row < PATIENCE:
        try:
            yield next(samples)
            in_a_row = 0
        except StopIteration:
            return
        except Exception as error:  # a generator ends with it, another iterator may go on
            in_a_row += 1
            yield Failed(error)


def parts(sample: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """The tensors, arrays, numbers and texts of a sample, with names: keys of dicts, fields of named
    tuples and dataclasses, positions otherwise. A list of numbers or of texts is one part; a picture
    of PIL is an array."""
    if isinstance(sample, Tensor) and not sample.is_nested:
        dense = sample if sample.layout is torch.strided else sample.to_dense()
        plain = dense.dequantize() if dense.is_quantized else dense
        yield name, plain.detach().cpu()
        return
    pairs = _inside(sample)
    if pairs is None:
        yield name, _plain(sample)
        return
    for key, value in pairs[:MOST_PARTS]:
        yield from parts(value, f"{name}.{key}" if name else str(key))


def _inside(sample: Any) -> list[tuple[Any, Any]] | None:
    if isinstance(sample, Mapping):
        return list(sample.items())
    if isinstance(sample, Tensor):
        return list(enumerate(sample.unbind()))  # a nested one
    if dataclasses.is_dataclass(sample):
        return [(each.name, getattr(sample, each.name)) for each in dataclasses.fields(sample)]
    if isinstance(sample, tuple):
        names = getattr(sample, "_fields", range(len(sample)))
        return list(zip(names, sample, strict=False))
    if isinstance(sample, list) and not all(isinstance(each, int | float | str) for each in sample):
        return list(enumerate(sample))
    return None


def _plain(value: Any) -> Any:
    """A tensor where the value holds numbers; a number, a text or an object stays as it is."""
    if isinstance(value, list) and value and all(type(each) in (int, float) for each in value):
        return torch.tensor(value, dtype=torch.float64)
    if isinstance(value, np.generic):
        return value.item()
    if hasattr(value, "__array_interface__"):
        array = np.asarray(value)
        numeric = array.dtype.kind in "biufc" and array.dtype.isnative
        return torch.from_numpy(np.ascontiguousarray(array).copy()) if numeric else value
    return value


def is_picture(value: Any) -> bool:
    """Whether a tensor has the shape of one: height and width of 8 or more, and 1, 3 or 4 channels
    before or after them, or none."""
    if not isinstance(value, Tensor) or value.dim() not in (2, 3) or value.is_complex():
        return False
    sides = value.shape if value.dim() == 2 else sides_of(value)
    return len(sides) == 2 and min(sides) >= 8


def sides_of(value: Tensor) -> tuple[int, ...]:
    """Height and width of a picture of three dimensions; () where no dimension counts channels."""
    if value.shape[0] in (1, 3, 4):
        return tuple(value.shape[1:])
    return tuple(value.shape[:2]) if value.shape[2] in (1, 3, 4) else ()


def channels_first(pictures: Tensor) -> Tensor:
    """Pictures of one shape, samples first, as samples, channels, height, width."""
    if pictures.dim() == 3:
        return pictures[:, None]
    return pictures if pictures.shape[1] in (1, 3, 4) else pictures.movedim(-1, 1)
