"""Error messages: memory is to be pinned that is not the CPU's."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("not-of-the-cpu")
def not_of_the_cpu(failure: Failure) -> Hits:
    yield failure.hit(say("what-pinned-not-on", kind=failure.groups["kind"]))
