"""Error messages: the weights of a recurrent layer do not lie in one piece."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("put-together-each-time")
def put_together_each_time(failure: Failure) -> Hits:
    yield failure.hit(
        "call flatten_parameters() of the recurrent layer at the beginning of forward"
    )


@explains("state-not-contiguous")
def state_not_contiguous(failure: Failure) -> Hits:
    yield failure.hit(
        "the state of the recurrent layer was transposed or expanded: .contiguous() first"
    )
