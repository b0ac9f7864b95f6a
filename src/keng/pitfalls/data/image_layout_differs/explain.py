"""Error messages: an image is laid out in another way than what shows or saves it takes."""

from __future__ import annotations

from keng.explain.advice.images import channels_taken, taken_by_pillow, turned_to_show
from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("shown")
def shown(failure: Failure) -> Hits:
    shape = failure.groups["shape"]
    sizes = tuple(int(size) for size in shape.split(", "))
    yield failure.hit(f"({shape}) is no (H, W, C): {turned_to_show(sizes)}")


@explains("made-a-picture")
def made_a_picture(failure: Failure) -> Hits:
    last, dtype = failure.groups["last"], failure.groups["dtype"]
    wants = [
        *([taken_by_pillow(dtype)] if dtype != "|u1" else []),
        *(["one channel without its dimension, x.squeeze(-1)"] if last == "1" else []),
        *(["channels last, x.permute(1, 2, 0)"] if last not in ("1", "3", "4", "") else []),
    ]
    yield failure.hit(f"a picture of Pillow is made of {' and '.join(wants) or 'another dtype'}")


@explains("not-one-image")
def not_one_image(failure: Failure) -> Hits:
    came = failure.groups["came"]
    cure = "the channels come first in a tensor, last in an array"
    if "dimensions" in came:
        flat = "it is flattened, x.view(1, 28, 28) of one of MNIST"
        cure = flat if came.startswith("1 ") else "x[0] is one of a batch"
    yield failure.hit(f"one image is wanted, and {came} come: {cure}")


@explains("logged")
def logged(failure: Failure) -> Hits:
    shape, layout = failure.groups["shape"], failure.groups["format"]
    yield failure.hit(
        f"an image of {shape} is logged as {layout}: dataformats= names its dimensions"
    )


@explains("other-channels")
def other_channels(failure: Failure) -> Hits:
    wants, came = failure.groups.get("wants"), failure.groups.get("came")
    counts = f"an image has {came} channels where {wants} are taken"
    says = counts if wants and came else "an image has other channels than are taken"
    yield failure.hit(f"{says}: {channels_taken(wants, came)}")
