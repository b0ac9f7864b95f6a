"""Error messages: the scheduler steps before the optimizer."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, Message, say
from keng.rules import explains

SCALED = re.compile(r"GradScaler|\bscaler\b|\bfp16\b|\bamp\b|mixed.precision", re.IGNORECASE)


@explains("warned-of-the-order")
def warned_of_the_order(failure: Failure) -> Hits:
    yield failure.hit(_scheduled_early(failure))


def _scheduled_early(failure: Failure) -> Message:
    """Of a scheduler that PyTorch has seen step before its optimizer."""
    shown = (failure.context, failure.message, failure.surrounding, failure.line)
    return say("scaler-skipped") if any(map(SCALED.search, shown)) else say("first-rate-lost")
