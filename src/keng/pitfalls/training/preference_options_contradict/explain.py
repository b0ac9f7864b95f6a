"""Error messages: training by rewards or preferences gets options that do not fit."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("groups-torn")
def groups_torn(failure: Failure) -> Hits:
    batch, n = failure.groups["batch"], failure.groups["n"]
    yield failure.hit(
        f"a batch of {batch} over all processes is to hold whole groups of {n} answers: a multiple of {n}, or another num_generations"
    )
