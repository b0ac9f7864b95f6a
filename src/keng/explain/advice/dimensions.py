"""What to do about a dimension that a tensor lacks, or has too many."""

from __future__ import annotations

import re
from collections.abc import Sequence

from keng.explain.advice.images import of_two_dimensions
from keng.explain.failure import Failure
from keng.model import Fix

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
KEY = re.compile(r"[\w)\]]\[[\"']")
SPECTRUM = re.compile(r"\b(?:i?stft|i?r?fft)\b")


def made_to_fit(failure: Failure, wants: int, came: int, shape: Sequence[int]) -> str:
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
        return of_two_dimensions(shape)
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


def lacking(small: Sequence[int], large: Sequence[int]) -> list[int]:
    """The dimensions without which the larger shape is the smaller one."""
    return [n for n in range(len(large)) if [*large[:n], *large[n + 1 :]] == [*small]]


def index_of_other_dimensions(failure: Failure) -> tuple[str, Fix | None]:
    """Of gather and scatter: the index has not as many dimensions as the others."""
    index = [o for o in failure.live.operands if o.dtype == "int64"]
    other = [o.shape for o in failure.live.operands if o not in index]
    if len(index) != 1 or any(len(shape) <= len(index[0].shape) for shape in other):
        says = (
            "the index of gather or scatter has another number of dimensions: index.unsqueeze(-1)"
        )
        return f"{says}, of a map of labels unsqueeze(1), or one channel where it has more", None
    name, shape = index[0].name, index[0].shape
    missing = lacking(shape, other[0]) if len(other) == 1 else []
    form = f"unsqueeze({missing[0] if len(missing) == 1 else 1})"
    says = f"`{name}`, of shape {shape}, has another number of dimensions: {name}.{form}"
    return says, failure.turned(name, f"{{}}.{form}")


def asked_for_a_key(count: str) -> str:
    """Of a tensor in the place of a dict."""
    says = "a tensor is asked for a key, as a dict is"
    if count == "1":
        what = "a batch of numbers, as where __getitem__ or a transform returns one, or a part of a batch"
        return f"{says}: {what}; print what this is before it"
    return f"{says}: print what this is before it"


def indexed_too_often(failure: Failure) -> str:
    """What is meant by a tensor that is indexed in more dimensions than it has."""
    if KEY.search(failure.line):
        return asked_for_a_key(failure.groups["n"])
    if SPECTRUM.search(f"{failure.line} {failure.around} {failure.told} {failure.message}"):
        says = "a spectrum is complex in newer PyTorch, without a last dimension of 2"
        return f"{says}: torch.view_as_real(x), or x.real and x.imag"
    says = f"a tensor of {failure.groups['n']} dimensions takes no more indices than that"
    return f"{says}: one was lost before, or a batch is missing"


def permuted_otherwise(has: int, named: int) -> str:
    """Why permute may name one dimension more than a tensor has, or one less."""
    if named - has == 1:
        return ": a batch is missing, or the channel of a grey image, unsqueeze(0)"
    if has - named == 1:
        return ": a batch stands before the others, which stays first, permute(0, ...)"
    return ""


def arrived_elsewhere(message: str, shape: str) -> str:
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
