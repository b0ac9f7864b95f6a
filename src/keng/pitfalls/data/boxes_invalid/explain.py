"""Error messages: a bounding box is empty, lies outside of its image, or comes in another form than a detector takes."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

FORMAT = (
    "pascal_voc is two corners in pixels, coco a corner, width and height, yolo shares of the image"
)


@explains("empty-box")
def empty_box(failure: Failure) -> Hits:
    box, index = failure.groups["box"], failure.groups["index"]
    cure = "[x1, y1, x2, y2] with x2 > x1 and y2 > y1; box_convert for width and height, remove_small_boxes for what is empty"
    yield failure.hit(f"target {index} has the box [{box}]: {cure}")


@explains("boxes-of-another-shape")
def boxes_of_another_shape(failure: Failure) -> Hits:
    came = failure.groups["came"].removeprefix("torch.Size(").removesuffix(")")
    yield failure.hit(say("boxes-float-tensor-shape", came=came))


@explains("outside-of-the-image")
def outside_of_the_image(failure: Failure) -> Hits:
    side, value = failure.groups["side"], failure.groups.get("value")
    says = (
        f"{side} is {value}, outside of the image"
        if value
        else f"{side} is not above the other side"
    )
    yield failure.hit(f"{says}, in the box {failure.groups['box']}: {_box_mended(value)}")


@explains("of-another-dtype")
def of_another_dtype(failure: Failure) -> Hits:
    what, came = failure.groups["what"], failure.groups["came"] or "of another type"
    cure = f"{what}.long()" if what == "labels" else f"{what}.float()"
    yield failure.hit(say("target-labels-int64-rest", cure=what, came=came, cure_2=cure))


@explains("pixels-for-shares")
def pixels_for_shares(failure: Failure) -> Hits:
    yield failure.hit(say("label-file-holds-where", values=failure.groups["values"].strip()))


@explains("labels-of-another-task")
def labels_of_another_task(failure: Failure) -> Hits:
    wanted, came = failure.groups["wanted"], failure.groups["came"] or "others"
    yield failure.hit(say("labels-have-columns-task", wanted=came, wanted_2=wanted))


def _box_mended(value: str | None) -> str:
    """What to do with a box that leaves the image by a side at this share of it, or is empty."""
    if value is None:
        return f"leave empty boxes out; {FORMAT}"
    return "cut it to the image" if abs(float(value) - 0.5) < 0.6 else FORMAT
