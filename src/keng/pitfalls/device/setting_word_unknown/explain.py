"""Error messages: a setting of torch is given a word or number that it does not know."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("computes-as-before")
def computes_as_before(failure: Failure) -> Hits:
    yield failure.hit(say("no-precision-products-computed", came=failure.groups["came"]))


@explains("no-such-word")
def no_such_word(failure: Failure) -> Hits:
    known = failure.groups["known"].replace("`", "").replace("'", "")
    yield failure.hit(say("no-word-setting-has", known=failure.groups["came"], known_2=known))


@explains("no-condition")
def no_condition(failure: Failure) -> Hits:
    cure = "bool(...) around it"
    if failure.groups["tensor"]:
        cure = "`torch._check_tensor_all`, or bool(...) around one number"
    yield failure.hit(say("torch-check-takes-true", cure=cure))
