"""What sizes that do not fit each other tell of where they came from."""

from __future__ import annotations

import re

from keng.failures import Failure

NORMALIZES = re.compile(r"\b[Nn]ormalize\b")
NORMALIZED = re.compile(r"torchvision/transforms/(?:v2/functional/)?_?(?:functional|misc)\w*\.py$")
FUNCTIONS = "torch/nn/functional.py"
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


def weighed_otherwise(failure: Failure) -> str:
    """What is wrong inside of a binary loss, which has compared its input and target before: nothing of
    another function."""
    last = failure.frames[-1].function if failure.raised_in.endswith(FUNCTIONS) else ""
    shapes = "(C,) beside scores of (N, C), (C, 1, 1) beside maps"
    told = f"`weight` or `pos_weight` of the loss does not fit the scores: a number for each class, {shapes}"
    return told if last.startswith("binary_cross_entropy") else ""


def marked_elsewhere(mask: str, tensor: str, there: int) -> str:
    """What a mask of one dimension says that stands beside dimension `there`, and is as long as one other
    alone: "5" for "1, 1, 5"."""
    sizes = tensor.split(", ")
    if sizes.count(mask) != 1 or there >= len(sizes):
        return ""
    fits = sizes.index(mask)
    form = f"x[{':, ' * fits}mask]"
    says = f"a mask of {mask} stands for dimension {there} of a tensor of ({tensor})"
    return f"{says}, which has {sizes[there]}: it is as long as dimension {fits}, {form}"


def flattened_otherwise(mask: str, tensor: str, at: int) -> str:
    """How many times as long as its mask a tensor is in the dimension that does not fit: "384, 19"."""
    came, there = (int(f"{shape}, 0".split(", ")[at]) for shape in (mask, tensor))
    if not 1 < came < there or there % came:
        return ""
    times = there // came
    says = f"; {there} = {times} * {came}, as where the tensor was flattened"
    return f"{says} with a dimension of {times} and the mask without"


OF_IMAGES = re.compile(
    r"\b(?:images?|img\w*|resolution|pixels?|height|u-?net\w*)\b|upsampl|interpolat|conv\w*\(|max_?pool",
    re.IGNORECASE,
)
OF_SEQUENCES = re.compile(r"att(?:entio)?n|\btoken|\bseq|\bposition", re.IGNORECASE)
POWERS = (2, 4, 8, 16, 32, 64)


def halved_otherwise(failure: Failure) -> str:
    """What two sizes that meet, `one` and `other` in `dim`, tell where one is the other rounded to what a
    network halves the maps of an image by."""
    one, other, dim = (int(failure.groups[name]) for name in ("one", "other", "dim"))
    small, large = sorted((one, other))
    apart, plain = large - small, "one must be 1 or both the same"
    rounded = any(-small % each == apart or large % each == apart for each in POWERS)
    lines = (f"{frame.function} {frame.text}" for frame in failure.frames)
    shown = " ".join((failure.message, failure.told, *lines))
    if not rounded or not 2 <= dim <= 4 or small < 2 or OF_SEQUENCES.search(shown):
        return plain
    if OF_IMAGES.search(shown) is None:
        return f"{plain}; of maps of an image, pad it to a multiple of 32 or 64"
    return (
        "as when an image's size is no multiple of what the network halves it by: pad or resize it to a "
        "multiple of 32 or 64"
    )


def of_a_signal(pad: str, shape: str) -> str:
    """What a row of values says that is mirrored at both ends by as much, "1024, 1024" for "1, 65621, 2":
    nothing of images."""
    ends, sizes = [int(n) for n in pad.split(", ")], [int(n) for n in shape.split(", ")]
    if len(ends) != 2 or len(set(ends)) > 1 or len(sizes) != 3:
        return ""
    (end, _), (_, before, last) = ends, sizes
    if last < 9 < end < before:
        says = f"a signal of {before} samples has its {last} channels last"
        return f"{says}, where samples are looked for: x.t(), or x.mean(-1) for one channel"
    says = f"{last} values in a row are mirrored by {end} at each end: a longer piece"
    return f"{says}, or a smaller n_fft, of which {end} is half" if end > 31 else says


def told_apart(shapes: str, dim: int) -> str:
    """Of shapes that a message lists, "src [2, 371] and index [2, 512]", and that may differ in `dim` alone:
    where they do beside it."""
    says = f"{shapes}: they may differ in dimension {dim} alone"
    sizes = [re.findall(r"\d+", each) for each in re.findall(r"\[([\dx, ]+)\]", shapes)]
    for n, there in enumerate(zip(*sizes, strict=False)):
        if n != dim and len(set(there)) > 1:
            return f"{says}, and do in dimension {n}: {' and '.join(dict.fromkeys(there))}"
    return says
