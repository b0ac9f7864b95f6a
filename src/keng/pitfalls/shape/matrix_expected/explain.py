"""Error messages: a matrix or vector is wanted, and a tensor of other dimensions comes."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

SQUARE = {
    "solve": "torch.linalg.solve(A, B) takes the square one first, where torch.solve(B, A) took it second; "
    "torch.linalg.lstsq of others",
    "inv": "torch.linalg.pinv is the inverse of others",
    "eig": "torch.linalg.svd of others",
    "cholesky": "x.mT @ x of its rows is one",
}
"""By what a function's name begins with."""


@explains("no-matrix")
def no_matrix(failure: Failure) -> Hits:
    number = say("one-two-single-number")
    batch = say("mm-takes-two-matrices")
    yield failure.hit(number if "at least 1D" in failure.message else batch)


@explains("no-vector")
def no_vector(failure: Failure) -> Hits:
    yield failure.hit(say("vectors-wanted-1d-come", came=failure.groups["came"].strip()))


@explains("transposed")
def transposed(failure: Failure) -> Hits:
    yield failure.hit(say("t-matrices-x-transpose", came=failure.groups["came"]))


@explains("product-with-a-vector")
def product_with_a_vector(failure: Failure) -> Hits:
    matrix = failure.groups.get("matrix", "")
    sizes = _beside_a_vector(matrix, failure.groups["vector"]) if matrix else ""
    yield failure.hit(f"a matrix is multiplied with a vector that does not fit{sizes}")


@explains("not-square")
def not_square(failure: Failure) -> Hits:
    cure = _square_otherwise(failure.groups["what"] or "")
    yield failure.hit(say("square-matrix-wanted", size=failure.groups["size"], cure=cure))


@explains("a-vector-for-a-matrix")
def a_vector_for_a_matrix(failure: Failure) -> Hits:
    yield failure.hit(say("wants-matrix-what-comes", what=failure.groups["what"]))


@explains("sizes-that-go-together")
def sizes_that_go_together(failure: Failure) -> Hits:
    a, b = failure.groups["a"], failure.groups["b"]
    yield failure.hit(say("two-tensors-do-not", b=a, b_2=b))


def _beside_a_vector(matrix: str, length: str) -> str:
    """What a matrix, "3x4", and a vector say that do not fit."""
    rows, _, columns = matrix.replace(" ", "").partition("x")
    cure = "matrix.T fits" if length == rows else f"it takes {columns}"
    return f": the matrix is {matrix}, the vector {length}, and {cure}"


def _square_otherwise(function: str) -> str:
    """What to give a function that takes square matrices, or what to take in its place."""
    named = (cure for name, cure in SQUARE.items() if function.startswith(name))
    return next(named, "its last two sizes are to be equal")
