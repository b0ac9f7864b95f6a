"""Error messages: a matrix cannot be factorized or inverted."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("not-square")
def not_square(failure: Failure) -> Hits:
    yield failure.hit(say("what-inverted-or-factorized"))


@explains("not-positive-definite")
def not_positive_definite(failure: Failure) -> Hits:
    if failure.groups.get("order") == "1":
        yield failure.hit(say("matrix-no-covariance-holds"))
        return
    yield failure.hit(say("matrix-not-positive-definite"))


@explains("no-factor")
def no_factor(failure: Failure) -> Hits:
    yield failure.hit(say("cholesky-inverse-takes-factor", n=failure.groups["n"]))


@explains("singular")
def singular(failure: Failure) -> Hits:
    yield failure.hit(say("matrix-last-two-dimensions"))


@explains("not-finite")
def not_finite(failure: Failure) -> Hits:
    finite = "ill" in failure.groups["why"]
    yield failure.hit(say("matrix-holds-nan-see") if finite else say("matrix-holds-nan-or"))


@explains("decomposition-in-old-words")
def decomposition_in_old_words(failure: Failure) -> Hits:
    yield failure.hit(say("decomposition-does-not-converge"))
