"""Error messages: a tokenizer is given what it cannot turn into tokens, or back into text."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("no-text")
def no_text(failure: Failure) -> Hits:
    yield failure.hit(say("what-given-no-text"))


@explains("ids-below-zero")
def ids_below_zero(failure: Failure) -> Hits:
    shown = failure.contains("decode")
    if shown or not failure.frames:
        yield failure.hit(
            say("ids-decode-hold-mark"),
            sure=shown,
        )


@explains("slow-one")
def slow_one(failure: Failure) -> Hits:
    yield failure.hit(say("fast-tokenizers-alone-slow", what=failure.groups["what"]))


@explains("left-out")
def left_out(failure: Failure) -> Hits:
    yield failure.hit(say("tokenizer-or-processor-does", names=failure.groups["names"]))
