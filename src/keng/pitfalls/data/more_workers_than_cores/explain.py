"""Error messages: a loader starts more workers than there are processors."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("more-than-processors")
def more_than_processors(failure: Failure) -> Hits:
    n, most = failure.groups["n"], failure.groups["most"]
    yield failure.hit(say("workers-share-processors-num", cores=n, most=most))
