"""Error messages: a collective works on a tensor that is still in the graph."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("without-derivative")
def without_derivative(failure: Failure) -> Hits:
    yield failure.hit(
        f"backward goes through `{failure.groups['op']}` as if it were not there: for the log loss.detach().clone() and the collective on that, "
        "and gradients are averaged by DistributedDataParallel"
    )
