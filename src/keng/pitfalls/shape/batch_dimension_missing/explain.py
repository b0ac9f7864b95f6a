"""Error messages: a layer gets an input with too few or too many dimensions."""

from __future__ import annotations

import re
from collections.abc import Sequence

from keng.explain.failure import Failure
from keng.model import Hits, Message, say
from keng.rules import explains

WEIGHT = re.compile(r"\d-dimensional weight \[?\d+[, ]+(?P<channels>\d+)")
OF_A_NORM = re.compile(r"expected [\dD or]{2,9} input \(got \dD input\)")
"""What normalization layers say."""
RECURRENT = re.compile(r"\b(?:RNN|LSTM|GRU)(?:Cell)?\b|\binput must have 3 dimensions")
ONE_SAMPLE = say("add-batch")
NORMS = {
    (4, 2): say("norm-of-features"),
    (4, 3): say("norm-of-sequences"),
    (4, 5): say("norm-of-volumes"),
    (3, 4): say("norm-of-images"),
    (5, 4): say("norm-of-images-not-volumes"),
    (3, 1): say("norm-of-one-sample"),
}
"""What to do where a normalization takes so many dimensions, and gets others."""
STEPS = {1: say("add-features"), 2: say("add-batch-or-step"), 4: say("join-features")}
"""The same of a recurrent layer, by the number of dimensions of its input."""


@explains("dimensions-that-lack")
def dimensions_that_lack(failure: Failure) -> Hits:
    groups = failure.groups
    wants = re.sub("-?D", "", groups["wants"])
    shape = [int(size) for size in re.findall(r"\d+", groups.get("shape") or "")]
    came = int(groups.get("came") or len(shape))
    advice = _made_to_fit(failure, int(wants[-1]), came, shape)
    layer = failure.layer
    if advice is None:
        yield failure.hit(say("dimensions-differ", layer=layer, wants=wants, came=came))
    else:
        says = say("dimensions-differ-do", layer=layer, wants=wants, came=came, advice=advice)
        yield failure.hit(says)


@explains("channels-of-what")
def channels_of_what(failure: Failure) -> Hits:
    wants = failure.groups["wants"]
    there = [o for o in failure.live.operands if len(o.shape) != int(wants)]
    if len(there) == 1:
        name, shape = there[0].name, there[0].shape
        yield failure.hit(say("channels-last-of", name=name, shape=shape, wants=wants))
    else:
        yield failure.hit(say("channels-last-rank", wants=wants))


@explains("of-other-dimensions")
def of_other_dimensions(failure: Failure) -> Hits:
    yield failure.hit(say("gets-another-number-dimensions", layer=failure.layer))


@explains("one-too-few")
def one_too_few(failure: Failure) -> Hits:
    yield failure.hit(_arrived_elsewhere(failure.message, failure.groups["shape"]))


@explains("image-for-clip")
def image_for_clip(failure: Failure) -> Hits:
    texts = [frame.text for frame in failure.frames] or [failure.message, failure.surrounding]
    given = re.search(r"\bencode_image\((?:([A-Za-z_][\w.]*)[,)])?", "\n".join(texts))
    if given is not None:
        name, width, grid = given[1] or "image", failure.groups["width"], failure.groups["grid"]
        yield failure.hit(say("one-image-for-clip", width=width, grid=grid, name=name))


def _made_to_fit(failure: Failure, wants: int, came: int, shape: Sequence[int]) -> Message | None:
    """What to do with a tensor of `came` dimensions where a layer takes `wants`; its shape may be unknown."""
    if "3D or 4D input (got 2D" in failure.message:
        return say("instance-norm-of-features")
    if OF_A_NORM.search(failure.message) and (wants, came) in NORMS:
        return NORMS[wants, came]
    if wants == 3 and came in STEPS and RECURRENT.search(failure.message):
        return STEPS[came]
    if came == wants + 1:
        return _too_many(wants, shape)
    if (wants, came) == (4, 2) and shape:
        return _of_two_dimensions(shape)
    if (wants, came) == (4, 2):
        return say("grey-image-or-features")
    weight = WEIGHT.search(failure.message)
    if came == wants - 1 and weight is not None and len(shape) == came:
        return _of_channels(int(weight["channels"]), shape)
    return ONE_SAMPLE if came == wants - 1 else None


def _too_many(wants: int, shape: Sequence[int]) -> Message:
    """Where one dimension too many is most likely to come from."""
    ones = [n for n, size in enumerate(shape) if n and size == 1]
    if ones:
        return say("squeeze-one", dim=ones[0])
    return say("maps-for-conv1d") if wants == 3 else say("frames-into-batch")


def _of_two_dimensions(sizes: Sequence[int]) -> Message:
    """What to do where rows of numbers, or one grey image, [28, 28], come to what takes a batch of images."""
    grey = min(sizes) * 3 >= max(sizes) > 1
    return say("one-grey-image") if grey else say("flattened-images")


def _of_channels(channels: int, shape: Sequence[int]) -> Message:
    """Whether the batch is missing, or the channel of grey images, by the number that a convolution takes."""
    if shape[0] == channels:
        return ONE_SAMPLE
    if channels == 1:
        return say("add-grey-channel")
    if len(shape) == 4 and shape[1] == channels:
        return say("images-for-conv3d")
    if shape[-1] == channels:
        order = (len(shape) - 1, *range(len(shape) - 1))
        return say("channels-come-last", order=order)
    return ONE_SAMPLE


def _arrived_elsewhere(message: str, shape: str) -> Message:
    """What a library's check says of a tensor of another number of dimensions than it takes."""
    came, wants = shape.split(", "), "(batch, channels, height, width)"
    if "input_ids" in message and len(came) == 3 and came[1] == "1":
        return say("tokenizer-batch-of-one", shape=shape)
    if "input_ids" in message:
        wants = "(batch, length)"
    if "tensor image" in message:
        wants = "(channels, height, width)"
    return say("one-dimension-missing", shape=shape, wants=wants)
