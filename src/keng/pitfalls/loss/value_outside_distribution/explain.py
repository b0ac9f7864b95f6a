"""Error messages: a distribution is asked about a value that it cannot give, or is made of too much or too little."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

SUPPORTS = {
    "Real": "it is NaN, which comes of the data or of weights that diverged",
    "Boolean": "0 and 1 alone",
    "IntegerInterval": "a class that there is not, as -1 of padding, or no whole number",
    "Interval": "clamp it, or bring an action of another range back to this one; or it is NaN",
    "GreaterThan": "clamp(min=1e-6), or it is NaN",
    "GreaterThanEq": "clamp(min=0), or it is NaN",
    "OneHot": "rows of zeros and a single 1: F.one_hot(x, n)",
}


@explains("outside")
def outside(failure: Failure) -> Hits:
    kind, support = failure.groups["kind"], failure.groups["support"]
    yield failure.hit(_beyond_support(kind, support))


@explains("said-twice-or-not")
def said_twice_or_not(failure: Failure) -> Hits:
    one, two = failure.groups["one"], failure.groups["two"]
    yield failure.hit(say("or-one-them-given", other=one, two=two))


@explains("outside-in-old-words")
def outside_in_old_words(failure: Failure) -> Hits:
    yield failure.hit(say("value-lies-outside-what"))


def _beyond_support(kind: str, support: str) -> str:
    says = f"a value lies outside of what {kind} can give, {support}"
    cure = SUPPORTS.get(re.sub(r"^IndependentConstraint\(|\(.*", "", support), "")
    return f"{says}: {cure}" if cure else says
