"""Error messages: training by rewards or preferences gets options that do not fit."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("groups-torn")
def groups_torn(failure: Failure) -> Hits:
    batch, n = failure.groups["batch"], failure.groups["n"]
    yield failure.hit(say("batch-over-all-processes", n=batch, n_2=n))
