"""Error messages: a matrix cannot be factorized or inverted."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("not-positive-definite")
def not_positive_definite(failure: Failure) -> Hits:
    if failure.groups.get("order") == "1":
        yield failure.hit(say("matrix-no-covariance-holds"))
        return
    yield failure.hit(say("matrix-not-positive-definite"))


@explains("not-finite")
def not_finite(failure: Failure) -> Hits:
    finite = "ill" in failure.groups["why"]
    yield failure.hit(say("matrix-holds-nan-see") if finite else say("matrix-holds-nan-or"))
