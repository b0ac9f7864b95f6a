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


def batches_apart(one: int, other: int) -> str:
    """What two batches of other sizes say that are multiplied one by one."""
    says, (small, large) = (
        f"batches of {one} and {other} are multiplied one by one",
        sorted((one, other)),
    )
    if small == 1:
        return f"{says}: a @ b stretches a batch of one, bmm does not"
    if small and large % small == 0:
        says = f"{says}: {large // small} times as many"
        return f"{says}: heads, or the two halves of guidance, are in the batch of one alone"
    return f"{says}: make both for the batch that came"


def rows_apart(columns: str, rows: str, name: str) -> str:
    """What the columns of one matrix say that meet other rows of the second."""
    says = f"{columns} columns meet {rows} rows of {name}"
    return f"{says}: its transpose(1, 2), or features of one size for both"


def padded_for_products(rows: int, columns: int, by: int) -> str:
    """What to do where a product of small numbers takes multiples of a number: rows are those of the second
    matrix, 0 for the first."""
    kind = "int8" if by == 8 else "float8"
    size, which = (columns, "columns") if rows % by == 0 else (rows, "rows")
    up = -(-size // by) * by
    how = f"F.pad(x, (0, {up - size})), with rows of zeros in the other"
    if rows:
        how = "as the columns of the other" if which == "rows" else "and cut the result"
    says = (
        f"a matrix of {size} {which} goes into a product of {kind}, which takes multiples of {by}"
    )
    return f"{says}: pad it to {up}, {how}, or leave that layer in bfloat16"


def leaves_a_rest(message: str, size: int, by: int) -> str:
    """What to choose where a size is no multiple of a number, as one of heads or groups, or of a square."""
    says = f"a size of {size} is no multiple of {by}"
    if "pixel_shuffle" in message:
        return f"{says}: out_channels={by} * n in the layer before, for n of them behind it"
    if "pixel_unshuffle" in message:
        return f"{says}: pad or crop to {-(-size // by) * by}"
    fits = [n for n in range(1, size + 1) if size % n == 0] if 0 < size < 100_000 else []
    less, more = [n for n in fits if n < by][-1:], [n for n in fits if n > by][:1]
    if less and re.search("heads|groups", message):
        return f"{says}: {' or '.join(map(str, less + more))} heads or groups divide it"
    return says
