"""Error messages: a tokenizer lacks a token that is asked of it."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("not-in-the-vocabulary")
def not_in_the_vocabulary(failure: Failure) -> Hits:
    which, token, tokenizer = (failure.groups[key] for key in ("which", "token", "tokenizer"))
    yield failure.hit(
        say("no-entry-tokenizer-trainer", which=token, tokenizer=tokenizer, which_2=which)
    )
