"""A running program: the loss scale falls step by step, and every step is skipped."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.moments import LossScale

LOWEST = 1.0
"""Below this the loss is made smaller, which is no help against gradients that are too small."""


@watches("loss.scale")
def halved_to_nothing(seen: LossScale) -> Hits:
    if seen.scale < LOWEST and seen.times >= 8:
        says = f"the loss scale has fallen to {seen.scale:.1e}, {seen.times} times without growing"
        yield seen.hit(f"{says}: these steps are skipped", scale=seen.scale)
