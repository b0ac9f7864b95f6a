"""Error messages: an optimizer that is spread over the ranks is used like one that is whole."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("state-not-brought-together")
def state_not_brought_together(failure: Failure) -> Hits:
    rank = failure.groups["rank"]
    yield failure.hit(say("each-rank-holds-part", rank=rank))


@explains("does-not-overlap")
def does_not_overlap(failure: Failure) -> Hits:
    yield failure.hit(say("does-not-step-inside", name=failure.groups["name"]))


@explains("far-fewer-inputs")
def far_fewer_inputs(failure: Failure) -> Hits:
    n, rank = failure.groups["n"], failure.groups["rank"]
    yield failure.hit(say("rank-has-batches-fewer", n=rank, n_2=n))
