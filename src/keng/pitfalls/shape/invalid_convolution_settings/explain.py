"""Error messages: the settings of a convolution or a pooling do not go together."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("another-number-of-numbers")
def another_number_of_numbers(failure: Failure) -> Hits:
    name, n = failure.groups["name"], failure.groups["n"]
    yield failure.hit(say("one-number-or-numbers", n=name, n_2=n))


@explains("bias-of-another-size")
def bias_of_another_size(failure: Failure) -> Hits:
    channels, came = failure.groups["channels"], failure.groups["came"]
    yield failure.hit(say("weight-has-output-channels", came=channels, came_2=came))


@explains("groups-that-do-not-divide")
def groups_that_do_not_divide(failure: Failure) -> Hits:
    groups, channels = failure.groups["groups"], failure.groups["channels"]
    yield failure.hit(say("output-channels-weight-not", groups=channels, groups_2=groups))


@explains("more-than-is-open")
def more_than_is_open(failure: Failure) -> Hits:
    yield failure.hit(say("output-padding-picks-one", got=failure.groups["got"]))


@explains("never-pooled")
def never_pooled(failure: Failure) -> Hits:
    low, high = int(failure.groups["low"]) + 1, int(failure.groups["high"]) - 1
    yield failure.hit(
        say("output-size-pooling-came", high=failure.groups["size"], low=low, high_2=high)
    )


@explains("of-another-pooling")
def of_another_pooling(failure: Failure) -> Hits:
    index, size = failure.groups["index"], failure.groups["size"].replace("x", " x ")
    yield failure.hit(say("place-lies-outside-what", size=index, size_2=size))
