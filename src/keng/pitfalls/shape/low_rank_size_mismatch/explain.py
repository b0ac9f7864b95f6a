"""Error messages: a few values or components are asked for that the matrix does not have."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("more-than-its-rank")
def more_than_its_rank(failure: Failure) -> Hits:
    q, n = failure.groups["q"], failure.groups["n"]
    yield failure.hit(say("q-components-asked-matrix", n=q, n_2=n))


@explains("too-small")
def too_small(failure: Failure) -> Hits:
    rows, k = failure.groups["rows"], failure.groups["k"]
    yield failure.hit(say("matrix-has-rows-k", n=rows, k=k, value=3 * int(k)))


@explains("no-square")
def no_square(failure: Failure) -> Hits:
    yield failure.hit(say("matrix-shape-has-no", came=failure.groups["came"]))
