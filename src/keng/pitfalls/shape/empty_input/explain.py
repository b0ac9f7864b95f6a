"""Error messages: an operation is given nothing."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("list-is-empty")
def list_is_empty(failure: Failure) -> Hits:
    yield failure.hit(say("empty-list", function=failure.groups.get("function") or "cat"))


@explains("tensor-is-empty")
def tensor_is_empty(failure: Failure) -> Hits:
    there = [o for o in failure.live.operands if 0 in o.shape]
    function = failure.groups["function"]
    if len(there) == 1:
        name, shape = there[0].name, there[0].shape
        yield failure.hit(say("named-is-empty", name=name, shape=shape, function=function))
    else:
        yield failure.hit(say("nothing-to-reduce", function=function))
