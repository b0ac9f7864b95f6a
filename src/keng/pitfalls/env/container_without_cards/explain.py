"""Error messages: a container cannot be given the cards."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("toolkit-missing")
def toolkit_missing(failure: Failure) -> Hits:
    yield failure.hit(say("toolkit-missing"), sure=False)  # any program's container


@explains("no-cards-in-wsl")
def no_cards_in_wsl(failure: Failure) -> Hits:
    yield failure.hit(say("wsl-without-gpus"), sure=False)
