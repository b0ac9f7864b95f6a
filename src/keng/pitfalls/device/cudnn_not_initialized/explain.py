"""Error messages: the cuDNN library cannot start."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("could-not-start")
def could_not_start(failure: Failure) -> Hits:
    yield failure.hit(say("cudnn-cannot-start-mostly"))
