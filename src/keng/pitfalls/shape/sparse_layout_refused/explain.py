"""Error messages: an operation does not know the layout of a sparse tensor."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("places-twice")
def places_twice(failure: Failure) -> Hits:
    yield failure.hit(f"a place may stand twice in it: x.coalesce().{failure.groups['what']}()")


@explains("only-dense")
def only_dense(failure: Failure) -> Hits:
    yield failure.hit(f"{failure.groups['op']} does not know sparse tensors: x.to_dense() first")


@explains("only-sparse")
def only_sparse(failure: Failure) -> Hits:
    what, layout = failure.groups["what"], failure.groups["layout"]
    yield failure.hit(
        f"{what} is of sparse tensors, and this one is {layout}: x.to_sparse(), or leave it out"
    )


@explains("one-value-for-each-place")
def one_value_for_each_place(failure: Failure) -> Hits:
    yield failure.hit(
        f"there are {failure.groups['i']} and {failure.groups['v']} of indices and values"
    )


@explains("joined-with-a-dense-one")
def joined_with_a_dense_one(failure: Failure) -> Hits:
    yield failure.hit(
        f"sparse and dense tensors are joined: number {failure.groups['at']} is dense"
    )


@explains("product-that-does-not-fit")
def product_that_does_not_fit(failure: Failure) -> Hits:
    wants, came = failure.groups["wants"], failure.groups["came"]
    yield failure.hit(f"the sparse matrix has {wants} columns, and the dense one {came} rows")


@explains("one-row-for-each-dimension")
def one_row_for_each_dimension(failure: Failure) -> Hits:
    rows, size = failure.groups["rows"], failure.groups["size"]
    yield failure.hit(
        f"the indices have {rows} rows, one for each dimension, and the size has {size}"
    )
