"""A running program: the targets of a binary loss are other numbers than 0 to 1."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.facts.losses import LossCall

BINARY = ("binary_cross_entropy", "binary_cross_entropy_with_logits")


@watches(LossCall)
def beyond_one(call: LossCall) -> Hits:
    low, high = call.target_range if call.function in BINARY else (0, 1)
    if low <= -1 or high >= 2:
        targets = f"`{call.target}` run" if call.target else "the targets run"
        says = f"{targets} from {low:g} to {high:g}, and a binary loss takes 0 to 1"
        yield call.hit(f"{says}: it falls below 0 without end")
