"""Error messages: a kernel in Triton does not compile."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("refused")
def refused(failure: Failure) -> Hits:
    line, error = failure.groups["line"], failure.groups["error"]
    yield failure.hit(say("triton-does-not-take", error=line, error_2=error))
