"""A running program: training goes on after the schedule has brought the learning rate to nothing."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.moments import VanishedRate


@watches("rate.vanished")
def stepping_without_moving(seen: VanishedRate) -> Hits:
    by = f"`{seen.scheduler}`" if seen.scheduler else "the program"
    says = f"{by} has brought the rate of `{seen.optimizer}` from {seen.initial:.3g}"
    says = f"{says} to {seen.rate:.1e}, and training goes on"
    yield seen.hit(says, where=seen.where, rate=seen.rate, steps_since=seen.steps)
