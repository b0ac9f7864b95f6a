"""Error messages: a prediction is squeezed of all dimensions of one before it meets its target."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("batch-of-one-lost")
def batch_of_one_lost(failure: Failure) -> Hits:
    if failure.code is None or "squeeze" in failure.code.text:
        yield failure.hit(say("prediction-has-no-dimension"))
