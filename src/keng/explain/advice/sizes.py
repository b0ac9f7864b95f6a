"""What sizes that do not fit each other tell of where they came from."""

from __future__ import annotations

import re
from math import prod

from keng.explain.failure import Failure

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


def not_stretched(message: str) -> str:
    """What kernels of before 0.4 say of two sizes, without them."""
    if "number of sizes" in message:
        says = "a tensor is expanded to fewer dimensions than it has"
        return f"{says}: sums keep theirs with keepdim=True alone since 0.2"
    says = "tensors of different sizes meet element by element"
    return f"{says}: before 0.2 none is stretched, y.expand_as(x)"


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
    marks = prod(int(size) for size in mask.split(", ") if size)
    first, *rest = tensor.split(", ")
    if first == "0":
        return ", and there are none: an image without boxes, or a filter that left nothing"
    if first == str(marks) and {*rest} <= {"1"} and ", " in mask:
        return f"; the tensor was flattened and the mask not: mask.flatten(), or x.view({mask})"
    came, there = (int(f"{shape}, 0".split(", ")[at]) for shape in (mask, tensor))
    if came == there:
        return ""
    if not 1 < came < there or there % came:
        return "; make it of that very tensor, after all that drops or joins its rows"
    times = there // came
    says = f"; {there} = {times} * {came}, as where the tensor was flattened"
    return f"{says} with a dimension of {times} and the mask without"


OF_IMAGES = re.compile(
    r"\b(?:images?|img\w*|resolution|pixels?|height|u-?net\w*)\b|upsampl|interpolat|conv\w*\(|max_?pool",
    re.IGNORECASE,
)
IMAGENET, MOST_CLASSES, MOST_CHANNELS = 1000, 100, 16
OF_A_LOSS = re.compile(r"\b(?:self\.)?(?:criterion|loss_f\w{1,8}|\w{0,10}[Ll]oss)\(")
FOR_CLASSES = (
    "class numbers go into nn.CrossEntropyLoss, one number for each row is y[:, None], "
    "and else both are made for one num_classes"
)
OR_ROWS = ", or y[:, None] where y has a number for each row"
OF_SEQUENCES = re.compile(r"att(?:entio)?n|\btoken|\bseq|\bposition", re.IGNORECASE)
WIDTHS = {384, 512, 640, 768, 1024, 1280, 1536, 2048, 2560, 3072, 4096, 5120}
POWERS_OF_TWO = {512, 1024, 2048, 4096}
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
        there = [len(operand.shape) for operand in failure.live.operands]
        of_what = _of_what(small, large, dim)
        if dim == 1 and OF_A_LOSS.search(failure.line) and OR_ROWS in of_what:
            return f"{plain}; {FOR_CLASSES}"
        return f"{plain}; {of_what if 1 in there or not there else of_what.partition(OR_ROWS)[0]}"
    if OF_IMAGES.search(shown) is None:
        return f"{plain}; of maps of an image, pad it to a multiple of 32 or 64"
    return (
        "as when an image's size is no multiple of what the network halves it by: pad or resize it to a "
        "multiple of 32 or 64"
    )


def _of_what(small: int, large: int, dim: int) -> str:
    """What two sizes that meet in a dimension most often are of, and where they come to differ."""
    if large > 64 and small == large // 2 + 1:
        return (
            f"{small} = {large} / 2 + 1, as of frequencies: n_stft is n_fft // 2 + 1, of one n_fft"
        )
    times, rest = divmod(large, max(small, 1))
    if dim == 0 and small > 1 and not rest:
        says = f"{times} times as many, as where DataParallel splits a batch over cards"
        return f"{says}, or each sample gives {times}: make the other for x.size(0)"
    if dim == 0:
        return "as where a last batch is smaller than what was made for batch_size: make that for x.size(0)"
    if {small, large} <= WIDTHS and {small, large} - POWERS_OF_TWO:
        return "widths of two models: one hidden_size or d_model for both, or an nn.Linear between"
    if dim == 1:
        return _of_columns(small, large)
    if small in (3, 4) and large >= 16:
        says = f"the {small} are channels that come last in one, and not in the other"
        return f"{says}: x.permute(0, 3, 1, 2), or (2, 0, 1) without a batch"
    if small and not rest and times.bit_count() == 1:
        says = f"{times} times as large, as after a stride or an upsampling too many"
        return f"{says}, or of images of two sizes: F.interpolate one"
    return "maps or sequences of two sizes: F.interpolate, resize or pad one before"


def _of_columns(small: int, large: int) -> str:
    """The same of the second dimension: classes, channels, or the lengths of sequences."""
    if large == IMAGENET:
        says = "1000 are ImageNet's classes, as of a pretrained model or teacher"
        return f"{says}: num_classes is the same for both"
    if large == 2 * small > 2 * MOST_CHANNELS:
        return f"twice as many, as where torch.cat joined two, or of another width{OR_ROWS}"
    if small > MOST_CLASSES:
        return f"two lengths or widths, of sequences not padded to one or of two models{OR_ROWS}"
    if large - small == 1:
        return f"as of classes with and without the background, or num_classes of one part alone{OR_ROWS}"
    return f"num_classes or channels, of two parts that were set up otherwise{OR_ROWS}"


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


def too_much_padding(pad: str, dim: str, shape: str) -> str:
    """What padding that mirrors or repeats says of a tensor with less than that."""
    says = f"padding of ({pad}) takes more than dimension {dim} of [{shape.strip()}] has"
    cure = "larger inputs or less padding; mode='constant' takes any"
    return of_a_signal(pad, shape) or f"{says}: {cure}"


def told_apart(shapes: str, dim: int) -> str:
    """Of shapes that a message lists, "src [2, 371] and index [2, 512]", and that may differ in `dim` alone:
    where they do beside it."""
    says = f"{shapes}: they may differ in dimension {dim} alone"
    sizes = [re.findall(r"\d+", each) for each in re.findall(r"\[([\dx, ]+)\]", shapes)]
    for n, there in enumerate(zip(*sizes, strict=False)):
        if n != dim and len(set(there)) > 1:
            return f"{says}, and do in dimension {n}: {' and '.join(dict.fromkeys(there))}"
    return says


def grown(has: str, gets: str) -> str:
    """What a square, "64, 64", says that a tensor, "64, 1" or "64", would grow to: a column met a row."""
    first, *rest = has.split(", ")
    if gets != f"{first}, {first}" or rest not in ([], ["1"]) or first in ("", "1"):
        return "x = x + y where it is to grow, else bring y to its shape"
    return f"a column meets a row: y{'[:, None]' if rest else '.squeeze(1)'}"
