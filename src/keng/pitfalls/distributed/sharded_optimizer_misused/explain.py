"""Error messages: an optimizer that is spread over the ranks is used like one that is whole."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("far-fewer-inputs")
def far_fewer_inputs(failure: Failure) -> Hits:
    n, rank = failure.groups["n"], failure.groups["rank"]
    yield failure.hit(say("rank-has-batches-fewer", n=rank, n_2=n))
