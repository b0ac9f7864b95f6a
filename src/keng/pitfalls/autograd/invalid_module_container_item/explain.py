"""Error messages: a container of layers or parameters is given what it is not made of."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("made-of-a-list")
def made_of_a_list(failure: Failure) -> Hits:
    what, came = failure.groups["what"], failure.groups["came"]
    numbers = say("made-of-numbers", what=what)
    yield failure.hit(numbers if came == "int" else say("made-list-gets", what=what, came=came))


@explains("made-of-pairs")
def made_of_pairs(failure: Failure) -> Hits:
    what = failure.groups["what"].replace("sDict", "Dict")
    yield failure.hit(say("made-pairs-name-what", what=what))


@explains("name-that-is-no-text")
def name_that_is_no_text(failure: Failure) -> Hits:
    what, came = failure.groups["what"], failure.groups["came"]
    if what == "module":
        yield failure.hit(say("name-of-module", came=came))
    elif what == "buffer":
        yield failure.hit(say("name-of-buffer", came=came))
    else:
        yield failure.hit(say("name-of-parameter", came=came))


@explains("put-where-nothing-is")
def put_where_nothing_is(failure: Failure) -> Hits:
    if failure.raised_in.endswith("torch/nn/modules/container.py"):
        yield failure.hit(say("sequential-too-short-place", at=failure.groups["at"]))
