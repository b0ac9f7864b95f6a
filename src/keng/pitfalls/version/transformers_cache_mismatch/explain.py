"""Error messages: a model's code asks the cache for what another version of Transformers has."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

INSTEAD = {
    "seen_tokens": "get_seq_length()",
    "get_max_length": "get_max_cache_shape()",
    "get_usable_length": "get_seq_length()",
    "key_cache": "layers[i].keys",
    "value_cache": "layers[i].values",
    "to_legacy_cache": "",
    "from_legacy_cache": "DynamicCache()",
}


@explains("taken-away")
def taken_away(failure: Failure) -> Hits:
    what = failure.groups["what"]
    instead = INSTEAD[what]
    replaced = say("cache-member-replaced", name=what, instead=instead)
    yield failure.hit(replaced if instead else say("cache-itself", name=what))


@explains("taken-for-tuple")
def taken_for_tuple(failure: Failure) -> Hits:
    yield failure.hit(say("tuple-against-cache"))


@explains("tuple-for-now")
def tuple_for_now(failure: Failure) -> Hits:
    yield failure.hit(say("tuple-deprecated"))
