"""Error messages: a prompt is to be trained for a model that has no place for it."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("named-otherwise")
def named_otherwise(failure: Failure) -> Hits:
    name = failure.groups["name"]
    yield failure.hit(say("model-s-configuration-says", name=name))


@explains("begins-with-a-text")
def begins_with_a_text(failure: Failure) -> Hits:
    name = failure.groups["name"]
    yield failure.hit(say("prompt-begin-text-missing", name=name))
