"""Source code: a normalization in training gets one value per channel."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import finds
from keng.source import Code


@finds
def last_batch_of_one(code: Code) -> Hits:
    for call, samples, size in code.forwards_of_single_samples():
        if code.mode_at(call.func, call) in ("", "train"):
            says = f"{samples} samples in batches of {size} leave one for the last: drop_last=True"
            yield code.hit(call, says)
