"""Error messages: a histogram, a count or a search gets bins, edges or weights that do not fit."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("no-bins")
def no_bins(failure: Failure) -> Hits:
    yield failure.hit(say("histogram-has-one-bin", bins=failure.groups["bins"]))


@explains("edges-of-others")
def edges_of_others(failure: Failure) -> Hits:
    n, came = failure.groups["n"], failure.groups["came"]
    yield failure.hit(say("histogram-dimensional-takes-many", came=n, came_2=came))


@explains("weights-of-others")
def weights_of_others(failure: Failure) -> Hits:
    there, came = failure.groups["there"], failure.groups["came"]
    yield failure.hit(say("weights-one-each-row", there=came, there_2=there))


@explains("without-an-end")
def without_an_end(failure: Failure) -> Hits:
    dim, span = failure.groups["dim"], failure.groups["range"]
    yield failure.hit(say("column-goes-from-x", span=dim, replace=span.replace(", ", " to ")))


@explains("order-of-another-dtype")
def order_of_another_dtype(failure: Failure) -> Hits:
    yield failure.hit(say("what-values-argsort-gives", came=failure.groups["came"]))
