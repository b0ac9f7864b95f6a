"""Error messages: a model's code asks the cache for what another version of Transformers has."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains

INSTEAD = {
    "seen_tokens": "get_seq_length()",
    "get_max_length": "get_max_cache_shape()",
    "get_usable_length": "get_seq_length()",
    "key_cache": "layers[i].keys",
    "value_cache": "layers[i].values",
    "to_legacy_cache": "the cache itself",
    "from_legacy_cache": "DynamicCache()",
}


@explains("taken-away")
def taken_away(failure: Failure) -> Hits:
    what = failure.groups["what"]
    yield failure.hit(
        f"code for an older Transformers asks the cache for `{what}` ({INSTEAD[what]} instead): a model of the Hub without trust_remote_code=True, "
        "a newer revision of it, or the Transformers that its config.json names"
    )


@explains("taken-for-tuple")
def taken_for_tuple(failure: Failure) -> Hits:
    yield failure.hit(
        "one side takes what attention keeps for a tuple, the other for a Cache, and they are of different versions: past_key_values=DynamicCache() in code "
        "of one's own, or the Transformers that the model's config.json names"
    )


@explains("tuple-for-now")
def tuple_for_now(failure: Failure) -> Hits:
    yield failure.hit(
        "past_key_values as a tuple still works, and Transformers 5 refuses it: DynamicCache() in its place"
    )
