"""Error messages: a tokenizer lacks a token that is asked of it."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("nothing-to-pad-with")
def nothing_to_pad_with(failure: Failure) -> Hits:
    yield failure.hit(say("has-no-token-padding", tokenizer=failure.groups["tokenizer"]))


@explains("last-token-not-known")
def last_token_not_known(failure: Failure) -> Hits:
    yield failure.hit(say("classifier-looks-last-token"))


@explains("nothing-to-mask-with")
def nothing_to_mask_with(failure: Failure) -> Hits:
    yield failure.hit(say("collator-masks-words-models"))


@explains("not-in-the-vocabulary")
def not_in_the_vocabulary(failure: Failure) -> Hits:
    which, token, tokenizer = (failure.groups[key] for key in ("which", "token", "tokenizer"))
    yield failure.hit(
        say("no-entry-tokenizer-trainer", which=token, tokenizer=tokenizer, which_2=which)
    )


@explains("no-number-for-the-unknown")
def no_number_for_the_unknown(failure: Failure) -> Hits:
    yield failure.hit(say("vocabulary-has-no-no", token=failure.groups["token"]))
