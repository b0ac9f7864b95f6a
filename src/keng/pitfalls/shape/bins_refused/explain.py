"""Error messages: a histogram, a count or a search gets bins, edges or weights that do not fit."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("no-bins")
def no_bins(failure: Failure) -> Hits:
    yield failure.hit(f"a histogram has one bin at least, and gets bins={failure.groups['bins']}")


@explains("edges-of-others")
def edges_of_others(failure: Failure) -> Hits:
    n, came = failure.groups["n"], failure.groups["came"]
    yield failure.hit(
        f"the histogram is {n}-dimensional and takes as many lists of edges, one for each column, and gets {came}"
    )


@explains("weights-of-others")
def weights_of_others(failure: Failure) -> Hits:
    there, came = failure.groups["there"], failure.groups["came"]
    yield failure.hit(f"the weights are [{came}], and one for each row is [{there}]")


@explains("without-an-end")
def without_an_end(failure: Failure) -> Hits:
    dim, span = failure.groups["dim"], failure.groups["range"]
    yield failure.hit(
        f"column {dim} goes from {span.replace(', ', ' to ')}: x[torch.isfinite(x).all(1)], or range="
    )


@explains("order-of-another-dtype")
def order_of_another_dtype(failure: Failure) -> Hits:
    yield failure.hit(
        f"`sorter` is what values.argsort() gives, of dtype Long, and is {failure.groups['came']}"
    )
