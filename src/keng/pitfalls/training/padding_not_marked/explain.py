"""Error messages: `generate` gets a padded batch without an attention mask."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("mask-not-given")
def mask_not_given(failure: Failure) -> Hits:
    several = failure.groups["several"]
    yield failure.hit(say("mask-of-batch-missing") if several else say("mask-missing"))


@explains("end-stands-in")
def end_stands_in(failure: Failure) -> Hits:
    end = failure.groups["end"].replace("None", "tokenizer.eos_token_id")
    yield failure.hit(say("model-has-no-token", end=end))
