"""Error messages: the state of a random generator is restored from a tensor that went to the card, or from another type."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("state-of-something-else")
def state_of_something_else(failure: Failure) -> Hits:
    came = failure.groups.get("came")
    yield failure.hit(say("other-size", came=came) if came else say("not-of-cpu"))
