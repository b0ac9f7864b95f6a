"""Error messages: the configuration of a model holds a value that does not suit the model."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("of-another-kind")
def of_another_kind(failure: Failure) -> Hits:
    name, wants, came, value = (failure.groups[key] for key in ("name", "wants", "came", "value"))
    yield failure.hit(
        say("configuration-where-alone-taken", wants=name, value=value, came=came, wants_2=wants)
    )


@explains("counted-otherwise")
def counted_otherwise(failure: Failure) -> Hits:
    n, names, k = (failure.groups.get(key) for key in ("n", "names", "k"))
    names_count = k or str((names or "").count(":"))
    yield failure.hit(say("num-labels-meets-id2label", m=n, names_count=names_count))


@explains("beyond-the-vocabulary")
def beyond_the_vocabulary(failure: Failure) -> Hits:
    name, last, came = (failure.groups[key] for key in ("name", "last", "came"))
    says = f"lies beyond the vocabulary, whose last id is {last}: model.resize_token_embeddings(len(tokenizer)) after tokens were added"
    if came.startswith("-"):
        says = "is the id of no token: None, where there is none"
    yield failure.hit(f"{name}={came} {says}")


@explains("for-generating")
def for_generating(failure: Failure) -> Hits:
    names = failure.groups["names"].replace("'", "")
    yield failure.hit(say("model-s-config-holds", names=names))
