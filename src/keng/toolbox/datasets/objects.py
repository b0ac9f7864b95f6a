"""Python objects of a dataset: each worker comes to hold its own copy of them."""

from __future__ import annotations

from collections.abc import Iterator, Sized
from typing import Any

import numpy as np
from torch import Tensor

CONTAINERS = (list, tuple, dict, set)
MANY = 100_000
"""Objects from which on their copies weigh: about 10 MB a worker."""
DEEPEST = 4


def held(dataset: Any, name: str = "", depth: int = 0) -> Iterator[tuple[str, Any]]:
    """The attributes of a dataset, and of those that it wraps."""
    for key, value in getattr(dataset, "__dict__", {}).items():
        where = f"{name}.{key}" if name else key
        yield where, value
        if hasattr(type(value), "__getitem__") and hasattr(value, "__dict__") and depth < DEEPEST:
            yield from held(value, where, depth + 1)


def sizes(dataset: Any) -> dict[str, int]:
    """The lengths of the lists, dicts and sets that a dataset holds."""
    return {name: len(value) for name, value in held(dataset) if isinstance(value, CONTAINERS)}


def many(dataset: Any) -> dict[str, tuple[int, str]]:
    """Those that hold very many objects, and of which type these are."""
    found = {}
    for name, value in held(dataset):
        if isinstance(value, CONTAINERS) and len(value) >= MANY:
            found[name] = (len(value), type(next(iter(value))).__name__)
    return found


def longest(dataset: Any) -> int:
    """The number of entries of the longest array, tensor or list that a dataset holds by itself."""
    kinds = (list, tuple, np.ndarray, Tensor)
    own = getattr(dataset, "__dict__", {}).values()
    lengths = [_entries(value) for value in own if isinstance(value, kinds)]
    return max(lengths, default=0)


def _entries(value: Sized) -> int:
    shape = getattr(value, "shape", None)
    return len(value) if shape is None else int(shape[0]) if len(shape) else 0
