"""Error messages: a container cannot be given the cards."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("toolkit-missing")
def toolkit_missing(failure: Failure) -> Hits:
    yield failure.hit(say("toolkit-missing"), sure=False)  # any program's container


@explains("toolkit-in-pieces")
def toolkit_in_pieces(failure: Failure) -> Hits:
    yield failure.hit(say("toolkit-incomplete", name=failure.groups["name"]))


@explains("driver-of-the-host")
def driver_of_the_host(failure: Failure) -> Hits:
    yield failure.hit(say("host-driver-does-not-run", why=failure.groups["why"]))


@explains("driver-too-old")
def driver_too_old(failure: Failure) -> Hits:
    yield failure.hit(say("image-needs-newer-driver", wants=failure.groups["wants"]))


@explains("card-not-there")
def card_not_there(failure: Failure) -> Hits:
    yield failure.hit(say("no-such-gpu", card=failure.groups["card"]))


@explains("no-node-has-one")
def no_node_has_one(failure: Failure) -> Hits:
    yield failure.hit(say("no-node-free", n=failure.groups["nodes"]))


@explains("no-cards-in-wsl")
def no_cards_in_wsl(failure: Failure) -> Hits:
    yield failure.hit(say("wsl-without-gpus"), sure=False)
