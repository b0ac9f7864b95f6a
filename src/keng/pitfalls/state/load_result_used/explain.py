"""Error messages: what a method returns is kept in place of the object that it changed."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("nothing-for-the-object")
def nothing_for_the_object(failure: Failure) -> Hits:
    name = failure.groups["name"]
    if name != "item":
        yield failure.hit(say("object-is-none", name=name))
    elif "loss" in failure.line:
        yield failure.hit(say("loss-is-none", name=name))
