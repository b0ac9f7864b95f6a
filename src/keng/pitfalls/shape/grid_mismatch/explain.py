"""Error messages: a sampling grid does not fit its image."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("numbers-come-last")
def numbers_come_last(failure: Failure) -> Hits:
    n, came = failure.groups["n"], failure.groups["came"]
    cure = "grid.permute(0, 2, 3, 1), perhaps" if came.count(",") == 3 else "see its shape"
    yield failure.hit(say("grid-has-not-coordinates", cure=came, n=n, cure_2=cure))


@explains("another-batch")
def another_batch(failure: Failure) -> Hits:
    image, grid = failure.groups["image"], failure.groups["grid"]
    cure = "expand the grid to that of the image"
    if image.count(",") < grid.count(","):
        cure = f"the image {image} is one alone, without a batch dimension: unsqueeze(0)"
    yield failure.hit(say("image-grid-have-not", cure=cure))


@explains("another-matrix")
def another_matrix(failure: Failure) -> Hits:
    wants, came = failure.groups["wants"], failure.groups["came"]
    yield failure.hit(say("matrices-wanted-last-row", wants=came, wants_2=wants))


@explains("nothing-to-make")
def nothing_to_make(failure: Failure) -> Hits:
    yield failure.hit(say("size-grid-zero-or", size=failure.groups["size"]))


@explains("of-one-pixel")
def of_one_pixel(failure: Failure) -> Hits:
    yield failure.hit(say("grid-size-has-no"))


@explains("size-of-one-image")
def size_of_one_image(failure: Failure) -> Hits:
    yield failure.hit(say("size-batch-n-c"))
