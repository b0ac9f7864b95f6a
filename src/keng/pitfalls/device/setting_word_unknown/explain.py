"""Error messages: a setting of torch is given a word or number that it does not know."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("computes-as-before")
def computes_as_before(failure: Failure) -> Hits:
    yield failure.hit(say("matmul-precision-unknown", came=failure.groups["came"]))


@explains("no-such-word")
def no_such_word(failure: Failure) -> Hits:
    known = failure.groups["known"].replace("`", "").replace("'", "")
    yield failure.hit(say("value-unknown", came=failure.groups["came"], known=known))


@explains("no-condition")
def no_condition(failure: Failure) -> Hits:
    tensor = failure.groups["tensor"]
    yield failure.hit(say("check-of-tensor") if tensor else say("check-of-number"))
