"""Error messages: the configuration of a model holds a value that does not suit the model."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("of-another-kind")
def of_another_kind(failure: Failure) -> Hits:
    name, wants, came, value = (failure.groups[key] for key in ("name", "wants", "came", "value"))
    yield failure.hit(
        say("configuration-where-alone-taken", name=name, value=value, came=came, wants=wants)
    )


@explains("counted-otherwise")
def counted_otherwise(failure: Failure) -> Hits:
    n, names, k = (failure.groups.get(key) for key in ("n", "names", "k"))
    names_count = k or str((names or "").count(":"))
    yield failure.hit(say("num-labels-meets-id2label", n=n, count=names_count))


@explains("beyond-the-vocabulary")
def beyond_the_vocabulary(failure: Failure) -> Hits:
    name, last, came = (failure.groups[key] for key in ("name", "last", "came"))
    if came.startswith("-"):
        yield failure.hit(say("no-token-id", name=name, came=came))
    else:
        yield failure.hit(say("beyond-vocabulary", name=name, came=came, last=last))


@explains("for-generating")
def for_generating(failure: Failure) -> Hits:
    names = failure.groups["names"].replace("'", "")
    yield failure.hit(say("model-s-config-holds", names=names))
