"""Error messages: a dimension cannot be divided into equal parts."""

from __future__ import annotations

from keng.explain.advice.matrices import leaves_a_rest, padded_for_products
from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("no-multiple")
def no_multiple(failure: Failure) -> Hits:
    size, by = (int(failure.groups[key]) for key in ("size", "by"))
    yield failure.hit(leaves_a_rest(failure.message, size, by))


@explains("product-of-small-numbers")
def product_of_small_numbers(failure: Failure) -> Hits:
    rows, columns, by = (int(failure.groups.get(key) or 0) for key in ("rows", "columns", "by"))
    rows = by if failure.groups.get("which") == "mat2" else rows
    yield failure.hit(padded_for_products(rows, columns, by))


@explains("halved")
def halved(failure: Failure) -> Hits:
    dim, size = failure.groups["dim"], failure.groups["size"]
    yield failure.hit(
        f"glu() halves dimension {dim}, whose size {size} is odd: the layer before it gives twice as many"
    )


@explains("over-the-ranks")
def over_the_ranks(failure: Failure) -> Hits:
    yield failure.hit("the first dimension is no multiple of the number of processes: pad it")


@explains("image-halved-too-often")
def image_halved_too_often(failure: Failure) -> Hits:
    size, other, by = (int(failure.groups[key]) for key in ("size", "other", "by"))
    up = tuple(-(-n // by) * by for n in (size, other))
    yield failure.hit(
        f"an image of {size} x {other} is halved until only multiples of {by} fit: pad or resize it to {up[0]} x {up[1]}"
    )


@explains("over-the-cards")
def over_the_cards(failure: Failure) -> Hits:
    size, by = failure.groups["size"], failure.groups["by"]
    yield failure.hit(
        f"{size} cannot be shared evenly among {by}: a multiple of {by}, or fewer processes"
    )


@explains("mixed-in-pairs")
def mixed_in_pairs(failure: Failure) -> Hits:
    yield failure.hit(
        "mixup joins the samples of a batch in pairs: an even batch_size and drop_last=True"
    )
