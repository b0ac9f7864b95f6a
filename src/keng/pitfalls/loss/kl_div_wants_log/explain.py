"""Error messages: the KL divergence gets probabilities where it takes their logarithms."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("divided-twice")
def divided_twice(failure: Failure) -> Hits:
    yield failure.hit(say("mean-over-classes-too"))
