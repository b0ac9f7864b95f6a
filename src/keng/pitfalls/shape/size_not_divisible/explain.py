"""Error messages: a dimension cannot be divided into equal parts."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
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


@explains("halved")
def halved(failure: Failure) -> Hits:
    dim, size = failure.groups["dim"], failure.groups["size"]
    yield failure.hit(say("glu-halves-dimension-whose", size=dim, size_2=size))


@explains("over-the-ranks")
def over_the_ranks(failure: Failure) -> Hits:
    yield failure.hit(say("first-dimension-no-multiple"))


@explains("image-halved-too-often")
def image_halved_too_often(failure: Failure) -> Hits:
    size, other, by = (int(failure.groups[key]) for key in ("size", "other", "by"))
    up = tuple(-(-n // by) * by for n in (size, other))
    yield failure.hit(
        say("image-x-halved-until", new_width=size, other=other, by=by, up=up[0], up_2=up[1])
    )


@explains("over-the-cards")
def over_the_cards(failure: Failure) -> Hits:
    size, by = failure.groups["size"], failure.groups["by"]
    yield failure.hit(say("cannot-shared-evenly-among", by=size, by_2=by))


@explains("mixed-in-pairs")
def mixed_in_pairs(failure: Failure) -> Hits:
    yield failure.hit(say("mixup-joins-samples-batch"))


def _leaves_a_rest(message: str, size: int, by: int) -> str:
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


def _padded_for_products(rows: int, columns: int, by: int) -> str:
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
