"""Error messages: a matrix or vector is wanted, and a tensor of other dimensions comes."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

SQUARE = {
    "solve": say("solve-takes-square-first"),
    "inv": say("inverse-of-others"),
    "eig": say("values-of-others"),
    "cholesky": say("product-with-itself"),
}
"""By what a function's name begins with."""


@explains("no-matrix")
def no_matrix(failure: Failure) -> Hits:
    number = "at least 1D" in failure.message
    yield failure.hit(say("one-is-a-number") if number else say("mm-of-batches"))


@explains("product-with-a-vector")
def product_with_a_vector(failure: Failure) -> Hits:
    matrix, length = failure.groups.get("matrix", ""), failure.groups.get("vector", "")
    rows, _, columns = matrix.replace(" ", "").partition("x")
    if not matrix:
        yield failure.hit(say("vector-does-not-match"))
    elif length == rows:
        yield failure.hit(say("transpose-matches-vector", matrix=matrix, length=length))
    else:
        yield failure.hit(
            say("vector-too-long-or-short", matrix=matrix, length=length, columns=columns)
        )


@explains("not-square")
def not_square(failure: Failure) -> Hits:
    what = failure.groups["what"] or ""
    advice = next((do for name, do in SQUARE.items() if what.startswith(name)), None)
    size = failure.groups["size"]
    if advice is None:
        yield failure.hit(say("matrix-not-square", size=size))
    else:
        yield failure.hit(say("matrix-not-square-do", size=size, advice=advice))
