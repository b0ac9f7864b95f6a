"""A running program: the first steps at the full rate ruin what was loaded."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.moments import RisenLoss

TIMES = 50
"""Batches differ, and losses near zero swing: this is far beyond either."""


@watches("loss.rose")
def worse_than_what_was_loaded(loss: RisenLoss) -> Hits:
    if loss.now > TIMES * loss.before > 0:
        says = (
            f"the loss rose from {loss.before:.3g} to {loss.now:.3g} in {loss.steps} steps from the"
        )
        yield loss.hit(f"{says} weights that were loaded, at the full rate of {loss.rate:g}")
