"""A running program: the targets of a binary loss are other numbers than 0 to 1."""

from __future__ import annotations

from keng.model import Hits, say
from keng.rules import watches
from keng.run.facts.losses import LossCall

BINARY = ("binary_cross_entropy", "binary_cross_entropy_with_logits")


@watches(LossCall)
def beyond_one(call: LossCall) -> Hits:
    low, high = call.target_range if call.function in BINARY else (0, 1)
    if low <= -1 or high >= 2:
        span = {"low": f"{low:g}", "high": f"{high:g}"}
        named = say("target-beyond", target=call.target, **span)
        yield call.hit(named if call.target else say("targets-beyond", **span))
