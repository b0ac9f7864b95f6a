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
