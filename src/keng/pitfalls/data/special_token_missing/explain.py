"""Error messages: a tokenizer lacks a token that is asked of it."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("nothing-to-pad-with")
def nothing_to_pad_with(failure: Failure) -> Hits:
    yield failure.hit(
        f"{failure.groups['tokenizer']} has no token for padding: tokenizer.pad_token = tokenizer.eos_token before the collator is made"
    )


@explains("last-token-not-known")
def last_token_not_known(failure: Failure) -> Hits:
    yield failure.hit(
        "the classifier looks for the last token before the padding, and does not know the padding: model.config.pad_token_id = tokenizer.pad_token_id"
    )


@explains("nothing-to-mask-with")
def nothing_to_mask_with(failure: Failure) -> Hits:
    yield failure.hit(
        "the collator masks words, for models like BERT, and this tokenizer has no mask: mlm=False for a model that predicts the next token"
    )


@explains("not-in-the-vocabulary")
def not_in_the_vocabulary(failure: Failure) -> Hits:
    which, token, tokenizer = (failure.groups[key] for key in ("which", "token", "tokenizer"))
    yield failure.hit(
        f"`{token}` is no entry of {tokenizer}: {which}=tokenizer.{which} in the trainer's config, or nothing at all"
    )


@explains("no-number-for-the-unknown")
def no_number_for_the_unknown(failure: Failure) -> Hits:
    yield failure.hit(
        f"the vocabulary has no `{failure.groups['token']}`, and no number for what it does not know: specials=['<unk>'] when it is built, then vocab.set_default_index(vocab['<unk>'])"
    )
