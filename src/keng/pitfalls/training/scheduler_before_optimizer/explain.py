"""Error messages: the scheduler steps before the optimizer."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains

SCALED = re.compile(r"GradScaler|\bscaler\b|\bfp16\b|\bamp\b|mixed.precision", re.IGNORECASE)


@explains("warned-of-the-order")
def warned_of_the_order(failure: Failure) -> Hits:
    yield failure.hit(_scheduled_early(failure))


def _scheduled_early(failure: Failure) -> str:
    """Of a scheduler that PyTorch has seen step before its optimizer."""
    if any(
        map(SCALED.search, (failure.context, failure.message, failure.surrounding, failure.line))
    ):
        says = "a GradScaler leaves out the first steps, whose gradients overflow: harmless"
        return f"{says}, where scheduler.step() comes after scaler.step(optimizer)"
    says = "the scheduler stepped before the optimizer and its first learning rate is lost"
    return f"{says}; harmless where a GradScaler skipped its first step"
