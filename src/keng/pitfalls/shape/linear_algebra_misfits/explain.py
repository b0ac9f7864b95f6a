"""Error messages: matrices and vectors of a function of linear algebra do not fit each other."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("chain")
def chain(failure: Failure) -> Hits:
    one, other, columns, rows = (failure.groups[key] for key in ("one", "other", "columns", "rows"))
    yield failure.hit(
        f"number {one} of the chain has {columns} columns, and number {other} has {rows} rows: they are equal in a product"
    )


@explains("last-dimensions")
def last_dimensions(failure: Failure) -> Hits:
    yield failure.hit(
        f"inner() goes along the last dimension of both, {failure.groups['shapes']}: matmul for a product of matrices"
    )


@explains("norm-over-others")
def norm_over_others(failure: Failure) -> Hits:
    dims = " ".join(failure.groups["dims"].split())
    yield failure.hit(
        f"this norm is one of matrices, and is asked for over the dimensions {dims}: dim=(-2, -1), or vector_norm for any of them"
    )


@explains("batches")
def batches(failure: Failure) -> Hits:
    dim, one, other = (failure.groups[key] for key in ("dim", "one", "other"))
    yield failure.hit(
        f"the two inputs are one pair for each sample, and have {one} and {other} in dimension {dim}"
    )


@explains("no-number-of-dimensions")
def no_number_of_dimensions(failure: Failure) -> Hits:
    dims = failure.groups["dims"]
    says = f"dims={dims} is no number of dimensions; single ones, counted from the end, stand in two lists"
    if int(dims) > 0:
        says = f"dims={dims} is more than a tensor has: so many of the last ones meet the first ones of the other"
    yield failure.hit(says)


@explains("sides-of-an-equation")
def sides_of_an_equation(failure: Failure) -> Hits:
    what, n, rows = (failure.groups[key] for key in ("what", "n", "rows"))
    yield failure.hit(f"{what} has {n} equations and {rows} right sides: one row of b for each")
