"""A running program: the memory of the GPU is exhausted."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.moments import FailedForward


@watches("forward.failed")
def memory_that_is_kept(failed: FailedForward) -> Hits:
    if failed.error != "OutOfMemoryError":
        return
    if failed.graphs_held > 2:
        says = f"{failed.graphs_held} graphs of past steps are alive: something keeps losses or outputs"
    elif failed.in_vain:
        says = (
            f"`{failed.module}` is in eval mode, and records gradients for no backward: no_grad()"
        )
    else:
        says = "nothing of past steps is kept: the step itself is too large for the card"
    yield failed.hit(says, graphs_held=failed.graphs_held)
