"""Error messages: a repository of the Hub is not given to the user who asks."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("gated")
def gated(failure: Failure) -> Hits:
    name = failure.groups.get("name")
    model = f"`{name}`" if name else say("the-model")
    told = failure.message + failure.surrounding
    if "403 Client Error" in told or "not in the authorized list" in told:
        yield failure.hit(say("gated-user-not-let-in", model=model))
    elif "401 Client Error" in told:
        yield failure.hit(say("gated-without-token", model=model))
    else:
        yield failure.hit(say("gated", model=model))
