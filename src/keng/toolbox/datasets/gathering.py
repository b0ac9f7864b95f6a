"""Values of one kind, gathered so that one operation counts many of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

SAMPLES = 4096
BYTES = 1 << 20
"""What is gathered at most. An operation on one small tensor takes as long as on a thousand."""
LARGEST = 2**63

Count = Callable[[str, str, list[int], Tensor | None], None]


class Gathered:
    """Takes values one by one, and calls `count` with the name of a shape and of a dtype, the indices of
    the samples that have both, and their values as one tensor (samples first; None for what is no
    number). Calls come with rising indices for each kind, and not for all together."""

    def __init__(self, count: Count) -> None:
        self._count = count
        self._kinds: dict[Any, tuple[list[int], list[Any]]] = {}
        self._samples = self._nbytes = 0

    def add(self, index: int, value: Any) -> None:
        if isinstance(value, Tensor):
            kind: Any = (value.shape, value.dtype)
            value = value.clone()  # a dataset may fill the same memory for each sample
            self._nbytes += value.nbytes
        else:
            kind = type(value)
        indices, values = self._kinds.setdefault(kind, ([], []))
        indices.append(index)
        values.append(value if _is_number(value) else None)
        self._samples += 1
        if self._samples >= SAMPLES or self._nbytes >= BYTES:
            self.flush()

    def flush(self) -> None:
        """Counts what was gathered."""
        kinds, self._kinds = self._kinds, {}
        self._samples = self._nbytes = 0
        for kind, (indices, values) in kinds.items():
            if isinstance(kind, type):
                known = not any(value is None for value in values)
                self._count("()", kind.__name__, indices, torch.tensor(values) if known else None)
            else:
                shape, dtype = "x".join(map(str, kind[0])) or "()", str(kind[1])
                self._count(shape, dtype.removeprefix("torch."), indices, torch.stack(values))


def _is_number(value: object) -> bool:
    """Whether a tensor can hold it."""
    if isinstance(value, int):
        return -LARGEST <= value < LARGEST
    return isinstance(value, Tensor | float)
