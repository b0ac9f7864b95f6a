"""Error messages: a matrix or vector is wanted, and a tensor of other dimensions comes."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
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
    number = "one of the two is a single number, without dimensions: a * b"
    batch = "mm takes two matrices and no batches: torch.matmul or @"
    yield failure.hit(number if "at least 1D" in failure.message else batch)


@explains("no-vector")
def no_vector(failure: Failure) -> Hits:
    yield failure.hit(
        f"vectors are wanted (1D) and {failure.groups['came'].strip()} come: (a * b).sum(-1) for pairs of many, a @ b.mT of each with each"
    )


@explains("transposed")
def transposed(failure: Failure) -> Hits:
    yield failure.hit(
        f"t() is for matrices and this is {failure.groups['came']}: x.transpose(-2, -1)"
    )


@explains("product-with-a-vector")
def product_with_a_vector(failure: Failure) -> Hits:
    matrix = failure.groups.get("matrix", "")
    sizes = _beside_a_vector(matrix, failure.groups["vector"]) if matrix else ""
    yield failure.hit(f"a matrix is multiplied with a vector that does not fit{sizes}")


@explains("not-square")
def not_square(failure: Failure) -> Hits:
    cure = _square_otherwise(failure.groups["what"] or "")
    yield failure.hit(f"a square matrix is wanted, and it is {failure.groups['size']}: {cure}")


@explains("a-vector-for-a-matrix")
def a_vector_for_a_matrix(failure: Failure) -> Hits:
    yield failure.hit(
        f"{failure.groups['what']} wants a matrix, and what comes has fewer dimensions"
    )


@explains("sizes-that-go-together")
def sizes_that_go_together(failure: Failure) -> Hits:
    a, b = failure.groups["a"], failure.groups["b"]
    yield failure.hit(f"the two tensors do not fit: {a} of the one goes with {b} of the other")


def _beside_a_vector(matrix: str, length: str) -> str:
    """What a matrix, "3x4", and a vector say that do not fit."""
    rows, _, columns = matrix.replace(" ", "").partition("x")
    cure = "matrix.T fits" if length == rows else f"it takes {columns}"
    return f": the matrix is {matrix}, the vector {length}, and {cure}"


def _square_otherwise(function: str) -> str:
    """What to give a function that takes square matrices, or what to take in its place."""
    named = (cure for name, cure in SQUARE.items() if function.startswith(name))
    return next(named, "its last two sizes are to be equal")
