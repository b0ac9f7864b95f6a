"""Error messages: an operator is registered twice."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("defined-again")
def defined_again(failure: Failure) -> Hits:
    yield failure.hit(say("registered-already-module-or", name=failure.groups["name"]))
