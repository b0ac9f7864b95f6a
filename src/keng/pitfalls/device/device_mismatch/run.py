"""A running program: tensors on different devices meet in one operation."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.moments import FailedForward


@watches("forward.failed")
def model_and_batch_apart(failed: FailedForward) -> Hits:
    if failed.devices is not None and "device" in failed.message:
        weights, given = failed.devices
        says = f"the weights of `{failed.module}` lie on {weights}, all of its inputs on {given}"
        yield failed.hit(f"{says}: move the batch, or the model")
