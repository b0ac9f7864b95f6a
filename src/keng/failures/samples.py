"""Samples that are stacked to a batch: what to do about their sizes."""

from __future__ import annotations

from collections.abc import Sequence

IMAGE_CHANNELS = {1, 3, 4}
BOXES = {4, 5, 6}
"""How many numbers a box has, with a class or a score."""
PAD = "pad them in a collate_fn, as with torch.nn.utils.rnn.pad_sequence"
COLOURS = 'one number of channels for all images, as with image.convert("RGB")'
RESIZE = "resize or crop all images to one size in the dataset"


def made_alike(one: Sequence[int], other: Sequence[int]) -> str:
    """What brings two samples to one shape. pad_sequence lengthens the first dimension alone."""
    if len(one) != len(other):
        return _of_other_dimensions(one, other)
    if len(one) == 3 and one[1:] == other[1:] and {one[0], other[0]} <= IMAGE_CHANNELS:
        return COLOURS
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
    if len(long) == 3 and [*long[1:]] == [*short]:
        return f"a grey image came without a dimension for its channel: {COLOURS}"
    return "one has a dimension more than the other"
