"""Error messages: a dimension cannot be divided into equal parts."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, Message, say
from keng.rules import explains


@explains("no-multiple")
def no_multiple(failure: Failure) -> Hits:
    size, by = (int(failure.groups[key]) for key in ("size", "by"))
    yield failure.hit(_leaves_a_rest(failure.message, size, by))


@explains("product-of-small-numbers")
def product_of_small_numbers(failure: Failure) -> Hits:
    rows, columns, by = (int(failure.groups.get(key) or 0) for key in ("rows", "columns", "by"))
    rows = by if failure.groups.get("which") == "mat2" else rows
    yield failure.hit(_padded_for_products(rows, columns, by))


@explains("image-halved-too-often")
def image_halved_too_often(failure: Failure) -> Hits:
    size, other, by = (int(failure.groups[key]) for key in ("size", "other", "by"))
    up = tuple(-(-n // by) * by for n in (size, other))
    yield failure.hit(
        say("image-not-multiple", height=size, width=other, by=by, fits=up[0], fits_too=up[1])
    )


def _leaves_a_rest(message: str, size: int, by: int) -> Message:
    """What to choose where a size is not a multiple of a number, as one of heads or groups, or of a square."""
    if "pixel_shuffle" in message:
        return say("pixel-shuffle-channels", size=size, by=by)
    if "pixel_unshuffle" in message:
        return say("pixel-unshuffle-size", size=size, by=by, fits=-(-size // by) * by)
    fits = [n for n in range(1, size + 1) if size % n == 0] if 0 < size < 100_000 else []
    less, more = [n for n in fits if n < by][-1:], [n for n in fits if n > by][:1]
    if not less or not re.search("heads|groups", message):
        return say("not-a-multiple", size=size, by=by)
    if more:
        return say("heads-or-groups-of-two", size=size, by=by, less=less[0], more=more[0])
    return say("heads-or-groups", size=size, by=by, fits=less[0])


def _padded_for_products(rows: int, columns: int, by: int) -> Message:
    """What to do where a product of small numbers takes multiples of a number: rows are those of the second
    matrix, 0 for the first."""
    dtype = "int8" if by == 8 else "float8"
    size = columns if rows % by == 0 else rows
    up = -(-size // by) * by
    if not rows:
        return say("product-of-columns", size=size, dtype=dtype, by=by, up=up, more=up - size)
    if size == rows:
        return say("product-of-rows", size=size, dtype=dtype, by=by, up=up)
    return say("product-of-output-columns", size=size, dtype=dtype, by=by, up=up)
