"""Error messages: a part of the model is kept off the card and fetched when it runs."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("buffers-do-not-fit")
def buffers_do_not_fit(failure: Failure) -> Hits:
    size = int(failure.groups["size"]) >> 20
    yield failure.hit(say("buffers-layers-off-card", size=size))


@explains("names-of-another-model")
def names_of_another_model(failure: Failure) -> Hits:
    names = failure.groups["names"][:120]
    yield failure.hit(say("device-map-names-model", names=names))


@explains("no-such-card")
def no_such_card(failure: Failure) -> Hits:
    card, there = failure.groups["card"], failure.groups["there"]
    yield failure.hit(say("max-memory-names-card", there=card, there_2=there))
