"""Error messages: the mixed precision of Apex is used without or after its set-up."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("not-initialized")
def not_initialized(failure: Failure) -> Hits:
    yield failure.hit(say("amp-scale-loss-comes"))


@explains("wrapped-before")
def wrapped_before(failure: Failure) -> Hits:
    yield failure.hit(say("model-wrapped-before-amp", kind=failure.groups["kind"]))
