"""Error messages: a tensor is the key of a dict, where each tensor is a key of its own."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("not-found")
def not_found(failure: Failure) -> Hits:
    if failure.kind == "KeyError":
        key = "tuple(x.tolist())" if failure.groups["first"] == "[" else "x.item()"
        yield failure.hit(say("tensor-looked-up-dict", key=key))
