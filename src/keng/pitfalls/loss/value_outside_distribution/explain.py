"""Error messages: a distribution is asked about a value that it cannot give, or is made of too much or too little."""

from __future__ import annotations

from keng.explain.advice.losses import beyond_support
from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("outside")
def outside(failure: Failure) -> Hits:
    kind, support = failure.groups["kind"], failure.groups["support"]
    yield failure.hit(beyond_support(kind, support))


@explains("said-twice-or-not")
def said_twice_or_not(failure: Failure) -> Hits:
    one, two = failure.groups["one"], failure.groups["two"]
    yield failure.hit(f"{one} or {two}: one of them is given, and not both")


@explains("outside-in-old-words")
def outside_in_old_words(failure: Failure) -> Hits:
    yield failure.hit("a value lies outside of what the distribution can give")
