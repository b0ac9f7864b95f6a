"""Error messages: a tokenizer is given what it cannot turn into tokens, or back into text."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("no-text")
def no_text(failure: Failure) -> Hits:
    yield failure.hit(
        "what is given is no text and no list of texts: a column is list(column), a cell that is empty (NaN) or a number is none"
    )


@explains("ids-below-zero")
def ids_below_zero(failure: Failure) -> Hits:
    shown = failure.contains("decode")
    if shown or not failure.frames:
        yield failure.hit(
            "the ids to decode hold -100, the mark of labels that are left out: np.where(ids != -100, ids, tokenizer.pad_token_id)",
            sure=shown,
        )


@explains("slow-one")
def slow_one(failure: Failure) -> Hits:
    yield failure.hit(
        f"{failure.groups['what']} is of fast tokenizers alone, and this is a slow one: AutoTokenizer with use_fast=True, where the folder has a "
        "tokenizer.json or one can be made"
    )


@explains("left-out")
def left_out(failure: Failure) -> Hits:
    yield failure.hit(
        f"the tokenizer or processor does not know {failure.groups['names']} and leaves it out: misspelt, of another version, or what the model takes"
    )
