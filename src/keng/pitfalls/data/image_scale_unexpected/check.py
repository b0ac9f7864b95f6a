"""Source code: an image of 0 to 255 is normalized as if it were of 0 to 1."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import finds
from keng.source import Code


@finds(fixes=True)
def normalized_without_scale(code: Code) -> Hits:
    for normalize in code.calls_to("torchvision.transforms.v2.Normalize"):
        kept = code.unscaled_before(normalize)
        if kept is None or not code.below_one(code.argument(normalize, "mean", position=0)):
            continue
        fix = code.add_argument(kept, "scale=True", "Divide by 255 on the way to floats")
        says = f"`{code.text_of(kept)}` keeps 0 to 255, and the mean on line {normalize.lineno} is for 0 to 1"
        yield code.hit(kept, says, fix=fix)


@finds
def normalized_as_read(code: Code) -> Hits:
    for call, image, normalize, more in code.normalized():
        if more or not code.for_rgb(normalize) or not code.read_by_opencv(image):
            continue
        if not code.is_divided(image):
            text = code.text_of(image)
            says = f"`{text}` is of 0 to 255, as OpenCV reads it, and the mean is for 0 to 1"
            yield code.hit(call, says)
