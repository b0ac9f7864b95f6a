"""Error messages: the settings of a convolution or a pooling do not go together."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("another-number-of-numbers")
def another_number_of_numbers(failure: Failure) -> Hits:
    n = {"two": 2, "three": 3}.get(failure.groups["n"], failure.groups["n"])
    yield failure.hit(say("one-number-or-each", name=failure.groups["name"], n=n))


@explains("never-pooled")
def never_pooled(failure: Failure) -> Hits:
    low, high = int(failure.groups["low"]) + 1, int(failure.groups["high"]) - 1
    yield failure.hit(
        say("output-size-not-possible", size=failure.groups["size"], low=low, high=high)
    )


@explains("of-another-pooling")
def of_another_pooling(failure: Failure) -> Hits:
    index, size = failure.groups["index"], failure.groups["size"].replace("x", " x ")
    yield failure.hit(say("index-outside", index=index, size=size))
