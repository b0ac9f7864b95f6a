"""A running program: the time steps of a recurrent layer are taken for its batch."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.moments import Recurrent


@watches("recurrent")
def batch_taken_for_time(seen: Recurrent) -> Hits:
    steps, batch, _ = seen.shape
    if not seen.batch_first and steps == seen.batch != batch:
        says = f"the input is {seen.shape} and the loader gives {steps} samples at a time"
        yield seen.hit(f"{says}: the batch comes first, and the layer takes it for time")
