"""Error messages: an operation does not know the layout of a sparse tensor."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("only-sparse")
def only_sparse(failure: Failure) -> Hits:
    what, layout = failure.groups["what"], failure.groups["layout"]
    yield failure.hit(say("sparse-tensors-one-x", layout=what, layout_2=layout))


@explains("one-value-for-each-place")
def one_value_for_each_place(failure: Failure) -> Hits:
    yield failure.hit(say("there-indices-values", v=failure.groups["i"], v_2=failure.groups["v"]))


@explains("product-that-does-not-fit")
def product_that_does_not_fit(failure: Failure) -> Hits:
    wants, came = failure.groups["wants"], failure.groups["came"]
    yield failure.hit(say("sparse-matrix-has-columns", came=wants, came_2=came))


@explains("one-row-for-each-dimension")
def one_row_for_each_dimension(failure: Failure) -> Hits:
    rows, size = failure.groups["rows"], failure.groups["size"]
    yield failure.hit(say("indices-have-rows-one", size=rows, size_2=size))
