"""Error messages: a bounding box is empty, lies outside of its image, or comes in another form than a detector takes."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
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
    yield failure.hit(
        f"boxes are a float tensor of shape (N, 4), and these are {came}: torch.as_tensor(boxes).reshape(-1, 4), which holds "
        "for an image without objects too"
    )


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
    yield failure.hit(
        f"the {what} of a target are {came}: {cure}, as labels are int64 and the rest floats"
    )


@explains("pixels-for-shares")
def pixels_for_shares(failure: Failure) -> Hits:
    yield failure.hit(
        f"a label file holds {failure.groups['values'].strip()} where shares of the image from 0 to 1 are taken, and its image is left out: class x_center y_center width height, "
        "divided by the image's width and height"
    )


@explains("labels-of-another-task")
def labels_of_another_task(failure: Failure) -> Hits:
    wanted, came = failure.groups["wanted"], failure.groups["came"] or "others"
    yield failure.hit(
        f"the labels have {came} columns and this task takes {wanted}: 5 for boxes (class x y w h, without a confidence), 5 and the keypoints for poses"
    )


def _box_mended(value: str | None) -> str:
    """What to do with a box that leaves the image by a side at this share of it, or is empty."""
    if value is None:
        return f"leave empty boxes out; {FORMAT}"
    return "cut it to the image" if abs(float(value) - 0.5) < 0.6 else FORMAT
