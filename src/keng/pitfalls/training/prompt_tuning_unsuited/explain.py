"""Error messages: a prompt is to be trained for a model that has no place for it."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("named-otherwise")
def named_otherwise(failure: Failure) -> Hits:
    name = failure.groups["name"]
    yield failure.hit(
        f"the model's configuration says `{name}` under a name that PEFT does not know: {name}= in the configuration of the prompt"
    )


@explains("begins-with-a-text")
def begins_with_a_text(failure: Failure) -> Hits:
    name = failure.groups["name"]
    yield failure.hit(
        f"the prompt is to begin as a text, and `{name}` is missing: both prompt_tuning_init_text and tokenizer_name_or_path, or 'RANDOM'"
    )
