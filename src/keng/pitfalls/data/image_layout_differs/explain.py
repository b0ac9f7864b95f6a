"""Error messages: an image is laid out in another way than what shows or saves it takes."""

from __future__ import annotations

from collections.abc import Sequence

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

WHOLE = "x.astype('uint8') of 0 to 255"


@explains("shown")
def shown(failure: Failure) -> Hits:
    shape = failure.groups["shape"]
    sizes = tuple(int(size) for size in shape.split(", "))
    yield failure.hit(say("cure-no-h-w", cure=shape, sizes=_turned_to_show(sizes)))


@explains("made-a-picture")
def made_a_picture(failure: Failure) -> Hits:
    last, dtype = failure.groups["last"], failure.groups["dtype"]
    wants = [
        *([_taken_by_pillow(dtype)] if dtype != "|u1" else []),
        *(["one channel without its dimension, x.squeeze(-1)"] if last == "1" else []),
        *(["channels last, x.permute(1, 2, 0)"] if last not in ("1", "3", "4", "") else []),
    ]
    yield failure.hit(say("picture-pillow-made", wants=" and ".join(wants) or "another dtype"))


@explains("not-one-image")
def not_one_image(failure: Failure) -> Hits:
    came = failure.groups["came"]
    cure = "the channels come first in a tensor, last in an array"
    if "dimensions" in came:
        flat = "it is flattened, x.view(1, 28, 28) of one of MNIST"
        cure = flat if came.startswith("1 ") else "x[0] is one of a batch"
    yield failure.hit(say("one-image-wanted-come", came=came, cure=cure))


@explains("logged")
def logged(failure: Failure) -> Hits:
    shape, layout = failure.groups["shape"], failure.groups["format"]
    yield failure.hit(say("image-logged-dataformats-names", layout=shape, layout_2=layout))


@explains("other-channels")
def other_channels(failure: Failure) -> Hits:
    wants, came = failure.groups.get("wants"), failure.groups.get("came")
    counts = f"an image has {came} channels where {wants} are taken"
    says = counts if wants and came else "an image has other channels than are taken"
    yield failure.hit(f"{says}: {_channels_taken(wants, came)}")


def _turned_to_show(sizes: Sequence[int]) -> str:
    """What to do with an image that is to be shown, by its sizes."""
    if len(sizes) > 3:
        one = {1: "x[0, 0]", 3: "x[0].permute(1, 2, 0)", 4: "x[0].permute(1, 2, 0)"}
        return f"{one.get(sizes[1], 'x[0]')} is one of the batch"
    if sizes[0] == 1 or sizes[-1] == 1:
        return "x.squeeze() for one channel"
    return "x.permute(1, 2, 0) puts the channels last"


def _taken_by_pillow(dtype: str) -> str:
    """What to make of numbers for a picture: "<f4" and "|b1" are scaled, whole numbers are not."""
    whole = dtype[1] in "iu"
    return f"bytes, {WHOLE}" if whole else "bytes, (x * 255).byte() of 0 to 1"


def _channels_taken(wants: str | None, came: str | None) -> str:
    """What to do with an image of other channels than a processor or a model takes."""
    if came and int(came) > 4:
        return "they come last: x.permute(0, 3, 1, 2) of a batch, x.permute(2, 0, 1) of one image"
    cure = f"convert('{'L' if wants == '1' else 'RGB'}') where it is read"
    return cure if came else f"{cure}, channels first"
