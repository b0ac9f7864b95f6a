"""Error messages: an optimizer is given the result of an operation."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("no-leaf")
def no_leaf(failure: Failure) -> Hits:
    computed = [o.name for o in failure.live.operands if not o.is_leaf]
    if computed:
        yield failure.hit(say("name-is-result", name=computed[0]))
    else:
        yield failure.hit(say("tensor-is-result"))
