"""Error messages: a trainer's step gives it no loss to go backward from."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("no-labels")
def no_labels(failure: Failure) -> Hits:
    keys, given = failure.groups["keys"], failure.groups["given"].replace(",", ", ")
    values = {"given": given, "keys": keys}
    if "labels" in given.split(", "):
        yield failure.hit(say("labels-unused", **values))
    elif "label" in given:
        yield failure.hit(say("labels-of-other-name", **values))
    else:
        yield failure.hit(say("labels-missing", **values))


@explains("returned-otherwise")
def returned_otherwise(failure: Failure) -> Hits:
    says = say("training-step-returns-no")
    if "dict" in failure.groups["what"]:
        says = say("dict-training-step-returns")
    yield failure.hit(says)
