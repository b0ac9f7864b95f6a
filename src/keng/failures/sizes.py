"""What sizes that do not fit each other tell of where they came from."""

from __future__ import annotations

import re
from collections.abc import Sequence

from keng.failures import Failure

NORMALIZES = re.compile(r"\b[Nn]ormalize\b")
NORMALIZED = re.compile(r"torchvision/transforms/(?:v2/functional/)?_?(?:functional|misc)\w*\.py$")
CHANNELS = {
    "1": "one channel, grey or a mask,",
    "2": "a grey image with an alpha channel",
    "4": "an image with a fourth channel, alpha,",
}


def normalized_otherwise(failure: Failure, has: str, gets: str) -> str:
    """What a transform that has the means of three channels says of an image that has others, "1, 8, 8" or
    "4": nothing where none is shown to be at work."""
    channels, *size = has.split(", ")
    function = failure.frames[-1].function if failure.frames else ""
    shown = (failure.line, failure.message, failure.around, function)
    named = any(map(NORMALIZES.search, shown)) or NORMALIZED.search(failure.raised_in)
    alone = len(size) == 2 and not failure.frames  # few others do this in place
    if not (named or alone) or channels not in CHANNELS or gets.split(", ") != ["3", *size]:
        return ""
    own = ", or Normalize((0.5,), (0.5,))" if channels == "1" else ""
    return f"{CHANNELS[channels]} meets the three means of Normalize: image.convert('RGB'){own}"


def flattened_otherwise(mask: str, tensor: str, at: int) -> str:
    """How many times as long as its mask a tensor is in the dimension that does not fit: "384, 19"."""
    came, there = (int(f"{shape}, 0".split(", ")[at]) for shape in (mask, tensor))
    if not 1 < came < there or there % came:
        return ""
    times = there // came
    says = f"; {there} = {times} * {came}, as where the tensor was flattened"
    return f"{says} with a dimension of {times} and the mask without"


def padded_with_channels_last(shape: Sequence[int], wants: int, weight: str) -> bool:
    """Whether nearly square images of few channels came with these last, and a layer of padding "same" has
    taken width and channels for height and width: each grew by what its kernel and stride leave over."""
    if len(shape) != 4 or wants > 4 or abs(shape[1] - shape[2]) > 8 or shape[1] < 16:
        return False
    kernel = int(weight.rpartition(",")[2])
    left = [max((-(-wants // step) - 1) * step + kernel - wants, 0) for step in (1, 2, 4)]
    return shape[3] > wants and shape[3] - wants in left
