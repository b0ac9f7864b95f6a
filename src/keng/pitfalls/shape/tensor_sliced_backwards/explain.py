"""Error messages: a tensor is sliced backwards."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("refused")
def refused(failure: Failure) -> Hits:
    yield failure.hit("a tensor takes no negative step: x.flip(0) is what x[::-1] means")
