"""Error messages: the KL divergence gets probabilities where it takes their logarithms."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("divided-twice")
def divided_twice(failure: Failure) -> Hits:
    yield failure.hit(
        "the mean is over the classes too, which is no divergence: reduction='batchmean'"
    )
