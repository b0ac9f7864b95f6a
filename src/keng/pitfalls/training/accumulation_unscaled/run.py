"""A running program: gradients of several batches are added up, and not divided."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.moments import AccumulatedGradients


@watches("gradients.accumulated")
def sum_of_means(seen: AccumulatedGradients) -> Hits:
    if not seen.normalizes:
        says = f"the mean losses of {seen.rounds} batches are added up, and none is divided"
        yield seen.hit(
            f"{says}: `{seen.optimizer}` steps {seen.rounds} times as far", rounds=seen.rounds
        )
