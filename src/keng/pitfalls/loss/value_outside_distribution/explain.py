"""Error messages: a distribution is asked about a value that it cannot give, or is made of too much or too little."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, Message, say
from keng.rules import explains


@explains("outside")
def outside(failure: Failure) -> Hits:
    kind, support = failure.groups["kind"], failure.groups["support"]
    yield failure.hit(_beyond_support(kind, support))


def _beyond_support(kind: str, support: str) -> Message:
    values = {"kind": kind, "support": support}
    match re.sub(r"^IndependentConstraint\(|\(.*", "", support):
        case "Real":
            return say("value-is-nan", **values)
        case "Boolean":
            return say("only-zero-and-one", kind=kind)
        case "IntegerInterval":
            return say("no-such-class", **values)
        case "Interval":
            return say("out-of-interval", **values)
        case "GreaterThan":
            return say("not-positive", **values)
        case "GreaterThanEq":
            return say("negative", **values)
        case "OneHot":
            return say("not-one-hot", **values)
    return say("outside-support", **values)
