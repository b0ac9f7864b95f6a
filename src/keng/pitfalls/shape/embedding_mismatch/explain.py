"""Error messages: an embedding gets bags, weights or a table that do not fit it."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("lengths-for-offsets")
def lengths_for_offsets(failure: Failure) -> Hits:
    yield failure.hit(say("offsets-say-where-each", came=failure.groups["came"]))


@explains("behind-the-end")
def behind_the_end(failure: Failure) -> Hits:
    length, came = failure.groups["length"], failure.groups["came"]
    yield failure.hit(say("last-bag-would-begin", length=came, length_2=length))


@explains("weights-without-a-sum")
def weights_without_a_sum(failure: Failure) -> Hits:
    yield failure.hit(say("weights-samples-go-mode", mode=failure.groups["mode"]))


@explains("weights-of-another-shape")
def weights_of_another_shape(failure: Failure) -> Hits:
    came, wants = failure.groups["came"], failure.groups["wants"]
    yield failure.hit(say("each-index-has-weight", came=wants, came_2=came))


@explains("outside-the-table")
def outside_the_table(failure: Failure) -> Hits:
    yield failure.hit(say("index-no-row-table", came=failure.groups["came"]))
