"""A running program: averaged weights are evaluated with the batch statistics of the last ones."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.moments import EvaluatedAverage


@watches("average.evaluated")
def statistics_of_the_last_weights(seen: EvaluatedAverage) -> Hits:
    says = f"`{seen.module}` averages the weights of {seen.updates} moments, and the running statistics"
    yield seen.hit(f"{says} of its batch norm are those of the last", updates=seen.updates)
