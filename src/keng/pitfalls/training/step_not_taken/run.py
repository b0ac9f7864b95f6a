"""A running program: an optimizer steps and moves nothing."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.moments import UnreachedOptimizer, UntakenStep


@watches("step.untaken")
def moves_nothing(seen: UntakenStep) -> Hits:
    says = f"`{seen.optimizer}` has stepped {seen.steps} times with gradients, and moved nothing"
    yield seen.hit(says, steps=seen.steps)


@watches("optimizer.unreached")
def reached_by_no_backward(seen: UnreachedOptimizer) -> Hits:
    says = (
        f"`{seen.optimizer}` has stepped {seen.steps} times, and no backward has reached any of its"
    )
    yield seen.hit(f"{says} {seen.count} parameters", steps=seen.steps, parameters=seen.count)
