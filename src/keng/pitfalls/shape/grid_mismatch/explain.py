"""Error messages: a sampling grid does not fit its image."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("numbers-come-last")
def numbers_come_last(failure: Failure) -> Hits:
    n, came = failure.groups["n"], failure.groups["came"]
    cure = "grid.permute(0, 2, 3, 1), perhaps" if came.count(",") == 3 else "see its shape"
    yield failure.hit(f"the grid {came} has not {n} coordinates at the end: {cure}")


@explains("another-batch")
def another_batch(failure: Failure) -> Hits:
    image, grid = failure.groups["image"], failure.groups["grid"]
    cure = "expand the grid to that of the image"
    if image.count(",") < grid.count(","):
        cure = f"the image {image} is one alone, without a batch dimension: unsqueeze(0)"
    yield failure.hit(f"image and grid have not the same batch size: {cure}")


@explains("another-matrix")
def another_matrix(failure: Failure) -> Hits:
    wants, came = failure.groups["wants"], failure.groups["came"]
    yield failure.hit(f"the matrices are {came}, and {wants} is wanted: the last row is left out")


@explains("nothing-to-make")
def nothing_to_make(failure: Failure) -> Hits:
    yield failure.hit(
        f"the size that the grid is for, {failure.groups['size']}, is zero or less in one dimension"
    )


@explains("of-one-pixel")
def of_one_pixel(failure: Failure) -> Hits:
    yield failure.hit(
        "a grid of size 1 has no corners to align: align_corners=False, or a larger size"
    )


@explains("size-of-one-image")
def size_of_one_image(failure: Failure) -> Hits:
    yield failure.hit("the size is that of a batch, (N, C, H, W) or (N, C, D, H, W)")
