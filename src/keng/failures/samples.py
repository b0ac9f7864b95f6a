"""Samples that are stacked to a batch, and tensors that are joined: what to do about their sizes."""

from __future__ import annotations

from collections.abc import Sequence

from keng.failures.images import ALPHA

IMAGE_CHANNELS = {1, 3, 4}
BOXES = {4, 5, 6}
"""How many numbers a box has, with a class or a score."""
PAD = "pad them in a collate_fn, as with torch.nn.utils.rnn.pad_sequence"
COLOURS = 'one number of channels for all images, as with image.convert("RGB")'
RESIZE = "resize or crop all images to one size in the dataset"
LARGE = 16
"""What a number of colours is none of."""


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


def joined_otherwise(one: int, other: int, dim: str, at: str = "") -> str:
    """What to do about two sizes beside the dimension in which tensors are joined: `at`, where that is told."""
    small, large = sorted((one, other))
    if at == "0" != dim:
        return "make both for the batch that came, or drop_last=True where the last one is smaller"
    if small == 1:
        return f"torch.cat stretches no 1, as of one thing beside a batch of several: expand or repeat it to {large}"
    if (small, large, dim) == (3, 4, "0"):
        return f"an image {ALPHA}"
    if large - small == 1:
        return f"as when an odd size is halved and doubled again; pad or crop one to {large}, or the input to a multiple of 32"
    if small in IMAGE_CHANNELS and large >= LARGE:
        return "as where one has its channels last, (H, W, C), and the other has not: x.permute for that one"
    if small == 2 and large >= LARGE:
        return "as where one is turned round, edges of (n, 2) for (2, n): x.t() for that one"
    return "resize images, pad sequences, or make both for one batch, before; or join along the dimension that differs"
