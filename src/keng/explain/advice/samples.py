"""Samples that are stacked to a batch, or compared with their targets: what to do about their sizes."""

from __future__ import annotations

from collections.abc import Sequence

IMAGE_CHANNELS = {1, 3, 4}
BOXES = {4, 5, 6}
"""How many numbers a box has, with a class or a score."""
PAD = "pad them in a collate_fn, as with torch.nn.utils.rnn.pad_sequence"
COLOURS = 'one number of channels for all images, as with image.convert("RGB")'
MOST_COORDINATES = 6
SHORTEST = 1000
"""Samples of a sound, at least."""
JOINED = "differ in shape, and the collate_fn joins them: pad them there, or one shape for all in the dataset"
LISTS = "the samples hold lists of different lengths, as of tokens: a collate_fn that pads them"
RESIZE = "resize or crop all images to one size in the dataset"


def made_alike(one: Sequence[int], other: Sequence[int]) -> str:
    """What brings two samples to one shape. pad_sequence lengthens the first dimension alone."""
    if len(one) != len(other):
        return _of_other_dimensions(one, other)
    if len(one) == 3 and one[1:] == other[1:] and {one[0], other[0]} <= IMAGE_CHANNELS:
        return COLOURS
    if len(one) == 2 and one[1] == other[1] >= SHORTEST and {one[0], other[0]} == {1, 2}:
        return "sounds of one channel and of two: x.mean(0, keepdim=True) makes one of both"
    if len(one) == 3 and one[0] == other[0] == 3 and min(one[1:]) == min(other[1:]):
        side = min(one[1:])
        says = f"Resize({side}) keeps the ratio of width and height"
        return f"{says}: Resize(({side}, {side})), or CenterCrop({side}) behind it"
    if len(one) == 3 and (one[0], one[2]) == (other[0], other[2]) and one[2] <= MOST_COORDINATES:
        return "one number of points or rows for each: sample, crop or pad them to it"
    if one[1:] == other[1:]:
        boxes = len(one) == 2 and one[1] in BOXES
        return f"{PAD}{', or keep them in a list, as boxes: tuple(zip(*batch))' if boxes else ''}"
    if one[:-1] == other[:-1] and len(one) < 4:
        wide = "resize, crop or pad them" if len(one) == 3 else "crop or pad them"
        return f"{wide} to one length in the dataset, F.pad(x, (0, length - x.size(-1)))"
    if len(one) == 4 and (one[0], *one[2:]) == (other[0], *other[2:]):
        return "one number of frames for all clips, taken by index or sampled"
    return RESIZE if len(one) in (3, 4) else "every sample must have one shape: crop or pad them"


def _of_other_dimensions(one: Sequence[int], other: Sequence[int]) -> str:
    short, long = sorted((one, other), key=len)
    if len(long) == 2 and long[0] == short[0] >= SHORTEST and long[1] == 2:
        return "a sound of two channels among those of one: x.mean(-1) makes one of both"
    if len(long) == 3 and [*long[1:]] == [*short]:
        return f"a grey image came without a dimension for its channel: {COLOURS}"
    return "one has a dimension more than the other"


def brought_to_one_shape(given: Sequence[int], target: Sequence[int], names: Sequence[str]) -> str:
    """What to do about an output and a target of a loss that compares values: which of them has too much."""
    if [n for n in given if n != 1] == [n for n in target if n != 1]:
        more, less = names if len(given) > len(target) else names[::-1]
        return f"the same values: {more}.view_as({less})"
    if given[1:] == target[1:] and 1 in (given[0], target[0]):
        which = "target" if target[0] == 1 else "output"
        says = f"one {which} for a batch of {max(given[0], target[0])}"
        return f"{says}: an index, a mean or a squeeze() took the batch away"
    if len(given) == len(target) + 1 and (given[0], *given[2:]) == tuple(target):
        return _of_several(given[1])
    if len(target) == len(given) + 1 and target[: len(given)] == given:
        says = f"one number of the model for each, and {target[-1]} of the target"
        return f"{says}: a last layer of {target[-1]}, without an argmax or squeeze behind it"
    return ""


def _of_several(count: int) -> str:
    says = (
        f"{count} numbers of the model for each target: nn.CrossEntropyLoss where they are scores"
    )
    return f"{says} of classes, [:, -1] where they are steps"
