"""Error messages: a tensor is sliced backwards."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("refused")
def refused(failure: Failure) -> Hits:
    yield failure.hit(say("tensor-takes-no-negative-2"))
