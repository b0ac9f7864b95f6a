"""Error messages: matrices and vectors of a function of linear algebra do not fit each other."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("chain")
def chain(failure: Failure) -> Hits:
    one, other, columns, rows = (failure.groups[key] for key in ("one", "other", "columns", "rows"))
    yield failure.hit(
        say("number-chain-has-columns", rows=one, columns=columns, other=other, rows_2=rows)
    )


@explains("last-dimensions")
def last_dimensions(failure: Failure) -> Hits:
    yield failure.hit(say("inner-goes-along-last", shapes=failure.groups["shapes"]))


@explains("norm-over-others")
def norm_over_others(failure: Failure) -> Hits:
    dims = " ".join(failure.groups["dims"].split())
    yield failure.hit(say("norm-one-matrices-asked", dims=dims))


@explains("batches")
def batches(failure: Failure) -> Hits:
    dim, one, other = (failure.groups[key] for key in ("dim", "one", "other"))
    yield failure.hit(say("two-inputs-one-pair", dim=one, other=other, dim_2=dim))


@explains("no-number-of-dimensions")
def no_number_of_dimensions(failure: Failure) -> Hits:
    dims = failure.groups["dims"]
    says = say("dims-no-number-dimensions", dims=dims)
    if int(dims) > 0:
        says = say("dims-more-than-tensor", dims=dims)
    yield failure.hit(says)


@explains("sides-of-an-equation")
def sides_of_an_equation(failure: Failure) -> Hits:
    what, n, rows = (failure.groups[key] for key in ("what", "n", "rows"))
    yield failure.hit(say("has-equations-right-sides", rows=what, n=n, rows_2=rows))
