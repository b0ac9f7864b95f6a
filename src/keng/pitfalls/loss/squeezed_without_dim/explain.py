"""Error messages: a prediction is squeezed of all dimensions of one before it meets its target."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("batch-of-one-lost")
def batch_of_one_lost(failure: Failure) -> Hits:
    if failure.code is None or "squeeze" in failure.code.text:
        yield failure.hit(
            "the prediction has no dimension left, and the target is of one sample: squeeze() took the last batch too, of one; squeeze(-1) takes one dimension, drop_last=True such batches"
        )
