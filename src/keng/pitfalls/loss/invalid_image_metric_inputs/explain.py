"""Error messages: a metric of images or boxes gets them in another form than it takes."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("not-normalized")
def not_normalized(failure: Failure) -> Hits:
    first, second, span = (failure.groups[key] for key in ("first", "second", "span"))
    odd = [
        shape for shape in (first, second) if shape.count(",") != 3 or shape.split(", ")[1] != "3"
    ]
    says = say("values-from-where-taken", values=failure.groups["values"], span=span)
    if odd:
        says = say("images-shape-where-n", shape=odd[0])
    yield failure.hit(says)


@explains("part-missing")
def part_missing(failure: Failure) -> Hits:
    where, key = failure.groups["where"], failure.groups["key"]
    yield failure.hit(say("key-missing", where=where, key=key))


@explains("of-different-length")
def of_different_length(failure: Failure) -> Hits:
    key, sample, where, boxes, labels = (
        failure.groups[each] for each in ("key", "sample", "where", "boxes", "labels")
    )
    yield failure.hit(
        say("image-has-labels-one", sample=sample, where=where, boxes=boxes, key=key, labels=labels)
    )


@explains("too-small-to-halve")
def too_small_to_halve(failure: Failure) -> Hits:
    side, least = failure.groups["side"], failure.groups["least"]
    yield failure.hit(say("image-halved-each-betas", side=side, least=least))
