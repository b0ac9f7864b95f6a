"""Error messages: what is loaded was compiled for another processor or Python."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("other-processor")
def other_processor(failure: Failure) -> Hits:
    has, needs = failure.groups.get("has"), failure.groups.get("needs")
    named = say("named-processor", has=has, needs=needs)
    yield failure.hit(named if has else say("another-processor"))
