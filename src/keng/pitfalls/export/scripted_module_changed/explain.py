"""Error messages: a scripted or traced module is changed, frozen or compiled in a way that it does not allow."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("settled")
def settled(failure: Failure) -> Hits:
    yield failure.hit(say("settled-once-model-scripted", name=failure.groups["name"]))


@explains("not-there")
def not_there(failure: Failure) -> Hits:
    yield failure.hit(say("scripted-model-has-no", what=failure.groups["what"]))


@explains("size-not-known")
def size_not_known(failure: Failure) -> Hits:
    yield failure.hit(say("does-not-know-sizes", name=failure.groups["name"]))
