"""Error messages: an operation is given nothing."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("list-is-empty")
def list_is_empty(failure: Failure) -> Hits:
    function = failure.groups.get("function") or "cat"
    yield failure.hit(say("torch-gets-empty-list", function=function))


@explains("no-sequences")
def no_sequences(failure: Failure) -> Hits:
    yield failure.hit(say("pad-sequence-gets-empty"))


@explains("tensor-is-empty")
def tensor_is_empty(failure: Failure) -> Hits:
    there = [o for o in failure.live.operands if 0 in o.shape]
    name = f"`{there[0].name}` of shape {there[0].shape}" if len(there) == 1 else "the tensor"
    yield failure.hit(
        say("has-no-elements-so", function=name, function_2=failure.groups["function"])
    )


@explains("nothing-to-reshape")
def nothing_to_reshape(failure: Failure) -> Hits:
    yield failure.hit(say("tensor-no-elements-viewed", shape=failure.groups["shape"]))


@explains("nothing-but-a-batch")
def nothing_but_a_batch(failure: Failure) -> Hits:
    yield failure.hit(say("gets-tensor-one-whose", what=failure.groups["what"]))


@explains("nothing-came")
def nothing_came(failure: Failure) -> Hits:
    yield failure.hit(say("tensor-no-elements-comes"))
