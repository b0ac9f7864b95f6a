"""Matrices that are not square or meet what does not fit, and dimensions that einsum has letters for."""

from __future__ import annotations

import re

SQUARE = {
    "solve": "torch.linalg.solve(A, B) takes the square one first, where torch.solve(B, A) took it second; "
    "torch.linalg.lstsq of others",
    "inv": "torch.linalg.pinv is the inverse of others",
    "eig": "torch.linalg.svd of others",
    "cholesky": "x.mT @ x of its rows is one",
}
"""By what a function's name begins with."""


def square_otherwise(function: str) -> str:
    """What to give a function that takes square matrices, or what to take in its place."""
    named = (cure for name, cure in SQUARE.items() if function.startswith(name))
    return next(named, "its last two sizes are to be equal")


def beside_a_vector(matrix: str, length: str) -> str:
    """What a matrix, "3x4", and a vector say that do not fit."""
    rows, _, columns = matrix.replace(" ", "").partition("x")
    cure = "matrix.T fits" if length == rows else f"it takes {columns}"
    return f": the matrix is {matrix}, the vector {length}, and {cure}"


def letter_apart(shapes: str) -> str:
    """Which two sizes meet in the shapes, "[6, 53]->[6, 1, 53] [6, 52]->[6, 52, 1]", that einsum made of its
    operands."""
    remapped = re.findall(r"->\[([\d, ]+)\]", shapes)
    for place in zip(*(shape.split(", ") for shape in remapped), strict=False):
        sizes = sorted({int(size) for size in place} - {1})
        if len(sizes) > 1:
            says = f": {sizes[0]} and {sizes[-1]}"
            return f"{says}, as where the two were padded or cut otherwise"
    return ""


def without_letters(dims: int, letters: int) -> str:
    """What to do about dimensions that have no letter, or letters without a dimension."""
    return (
        "... stands for those without one" if dims > letters else "an index or squeeze() took one"
    )
