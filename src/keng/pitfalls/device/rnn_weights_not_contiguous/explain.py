"""Error messages: the weights of a recurrent layer do not lie in one piece."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("put-together-each-time")
def put_together_each_time(failure: Failure) -> Hits:
    yield failure.hit(say("call-flatten-parameters-recurrent"))


@explains("state-not-contiguous")
def state_not_contiguous(failure: Failure) -> Hits:
    yield failure.hit(say("state-recurrent-layer-was"))
