"""Error messages: a layer gets an input with too few or too many dimensions."""

from __future__ import annotations

import re
from collections.abc import Sequence

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

WEIGHT = re.compile(r"\d-dimensional weight \[?\d+[, ]+(?P<channels>\d+)")
OF_A_NORM = re.compile(r"expected [\dD or]{2,9} input \(got \dD input\)")
"""What normalization layers say."""
RECURRENT = re.compile(r"\b(?:RNN|LSTM|GRU)(?:Cell)?\b|\binput must have 3 dimensions")
ONE_SAMPLE = "unsqueeze(0) makes a batch of one sample"
NORMS = {
    (4, 2): "after a flatten it is BatchNorm1d",
    (4, 3): f"BatchNorm1d is for (N, C, L), and {ONE_SAMPLE}",
    (4, 5): "BatchNorm3d is for volumes and videos",
    (3, 4): "BatchNorm2d is for maps, (N, C, H, W)",
    (5, 4): f"BatchNorm2d is for images, and {ONE_SAMPLE}",
    (3, 1): f"{ONE_SAMPLE}, which a BatchNorm1d takes in eval() alone",
}
"""What to do where a normalization takes so many dimensions, and gets others."""
STEPS = {
    1: "x.unsqueeze(-1) makes steps of one number each",
    2: "unsqueeze(1) makes a batch of one sequence, unsqueeze(0) one step of a batch; with batch_first=True "
    "the other way",
    4: "x.flatten(2) joins what belongs to one step",
}
"""The same of a recurrent layer, by the number that came."""


@explains("dimensions-that-lack")
def dimensions_that_lack(failure: Failure) -> Hits:
    groups = failure.groups
    wants = re.sub("-?D", "", groups["wants"])
    shape = [int(size) for size in re.findall(r"\d+", groups.get("shape") or "")]
    came = int(groups.get("came") or len(shape))
    cure = _made_to_fit(failure, int(wants[-1]), came, shape)
    yield failure.hit(
        say("takes-dimensions-but-gets", cure=failure.layer, wants=wants, came=came, cure_2=cure)
    )


@explains("channels-of-what")
def channels_of_what(failure: Failure) -> Hits:
    wants = failure.groups["wants"]
    there = [o for o in failure.live.operands if len(o.shape) != int(wants)]
    name = f"`{there[0].name}` of shape {there[0].shape}" if len(there) == 1 else "a tensor"
    yield failure.hit(say("laid-out-channels-last", wants=name, wants_2=wants))


@explains("of-other-dimensions")
def of_other_dimensions(failure: Failure) -> Hits:
    yield failure.hit(say("gets-another-number-dimensions", layer=failure.layer))


@explains("one-too-few")
def one_too_few(failure: Failure) -> Hits:
    yield failure.hit(_arrived_elsewhere(failure.message, failure.groups["shape"]))


@explains("batch-in-a-list")
def batch_in_a_list(failure: Failure) -> Hits:
    yield failure.hit(say("detector-takes-list-images", shape=failure.groups["shape"]))


@explains("asserted")
def asserted(failure: Failure) -> Hits:
    name, wants = failure.groups["name"], failure.groups["wants"]
    yield failure.hit(say("have-dimensions-has-not", wants=name, wants_2=wants))


@explains("image-for-clip")
def image_for_clip(failure: Failure) -> Hits:
    texts = [frame.text for frame in failure.frames] or [failure.message, failure.surrounding]
    given = re.search(r"\bencode_image\((?:([A-Za-z_][\w.]*)[,)])?", "\n".join(texts))
    if given is not None:
        name, width, grid = given[1] or "image", failure.groups["width"], failure.groups["grid"]
        says = f"{width} channels of {grid} x {grid} pieces are taken for a batch: `{name}` is one image, and has no batch"
        yield failure.hit(f"{says}; {name}.unsqueeze(0)")


def _made_to_fit(failure: Failure, wants: int, came: int, shape: Sequence[int]) -> str:
    """What to do with a tensor of `came` dimensions where a layer takes `wants`, and its shape if told."""
    if "3D or 4D input (got 2D" in failure.message:
        return "an InstanceNorm goes over maps, and these are features: nn.LayerNorm"
    if OF_A_NORM.search(failure.message) and (wants, came) in NORMS:
        return NORMS[wants, came]
    if wants == 3 and came in STEPS and RECURRENT.search(failure.message):
        return STEPS[came]
    if came == wants + 1:
        return _too_many(wants, shape)
    if (wants, came) == (4, 2) and shape:
        return _of_two_dimensions(shape)
    if (wants, came) == (4, 2):
        return "x[None, None] makes a batch of one grey image, and features, (N, F), go into a linear layer"
    weight = WEIGHT.search(failure.message)
    if came == wants - 1 and weight is not None and len(shape) == came:
        return _of_channels(int(weight["channels"]), shape)
    return ONE_SAMPLE if came == wants - 1 else "see its shape"


def _too_many(wants: int, shape: Sequence[int]) -> str:
    """Where one dimension too many is most likely to come from."""
    ones = [n for n, size in enumerate(shape) if n and size == 1]
    if ones:
        return f"a dimension too many: x.squeeze({ones[0]}) takes the 1 away"
    if wants == 3:
        return "a dimension too many: maps are for a Conv2d, and x.flatten(2) makes a row of each"
    return "a dimension too many: x.flatten(0, 1) puts frames, crops or pairs into the batch"


def _of_two_dimensions(sizes: Sequence[int]) -> str:
    """What to do where rows of numbers, or one grey image, [28, 28], come to what takes a batch of images."""
    if min(sizes) * 3 >= max(sizes) > 1:
        return "one grey image is x[None, None]"
    says = "features or flattened images, where images are taken"
    return f"{says}: those themselves, (N, C, H, W), or x.view(N, C, H, W)"


def _of_channels(channels: int, shape: Sequence[int]) -> str:
    """Whether the batch is missing, or the channel of grey images, by the number that a convolution takes."""
    if shape[0] == channels:
        return ONE_SAMPLE
    if channels == 1:
        return "unsqueeze(1) gives grey images their channel"
    if len(shape) == 4 and shape[1] == channels:
        return "Conv2d is for images, and x.unsqueeze(2) makes each a video of one frame"
    if shape[-1] == channels:
        order = (len(shape) - 1, *range(len(shape) - 1))
        return f"the channels come last: x.permute{order}.unsqueeze(0)"
    return ONE_SAMPLE


def _arrived_elsewhere(message: str, shape: str) -> str:
    """What a library's check says of a tensor of another number of dimensions than it takes."""
    came, wants = shape.split(", "), "(batch, channels, height, width)"
    if "input_ids" in message and len(came) == 3 and came[1] == "1":
        says = f"({shape}) arrives where (batch, length) is taken: squeeze(1)"
        return f"{says}, as the tokenizer gave each text a batch of one"
    if "input_ids" in message:
        wants = "(batch, length)"
    if "tensor image" in message:
        wants = "(channels, height, width)"
    return f"({shape}) arrives where {wants} is taken: unsqueeze(0)"
