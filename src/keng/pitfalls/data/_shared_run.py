"""What the run.py of several pitfalls of data share."""

from __future__ import annotations

from typing import Any

IGNORE_INDEX = {"cross_entropy": 4, "nll_loss": 4}
"""Where a loss function takes its `ignore_index`."""


def length_of(samples: Any) -> int:
    """Of a dataset or a sampler; 0 where it has none."""
    try:
        return len(samples)
    except (TypeError, NotImplementedError):
        return 0


def can_be_known_again(dataset: Any) -> bool:
    """Whether a dataset can be a key of a dictionary that does not keep it alive: a list cannot."""
    kind = type(dataset)
    return kind.__hash__ is not None and bool(kind.__weakrefoffset__)
