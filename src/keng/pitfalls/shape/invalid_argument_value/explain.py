"""Error messages: an argument has a value that PyTorch does not take."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

FRACTION = re.compile(r"integer .{1,40} \d+\.\d")

TO_BE: dict[str, str] = {
    "probability has to be between 0 and 1": "a share and no percentage, 0.5 for 50",
    "quantile() q must be": "a share and no percentage, 0.95 for 95",
    "Nesterov momentum": "momentum=0.9 beside it",
    "not supported for strided": "padding=kernel_size // 2, of an odd kernel, gives the size "
    "divided by the stride",
    "must be divisible by groups": "groups divides in_channels and out_channels, up to groups=in_channels",
    "either size or scale_factor": "one of the two, and not both or none",
    "align_corners option": "without align_corners where mode is 'nearest' or 'area'",
    "is not finite": "x[torch.isfinite(x)], or what made NaN or infinite values",
    "unsupported range": "x[torch.isfinite(x)], or what made infinite values",
    "Padding length must be": "F.pad takes two numbers for each dimension, from the last",
    "is not a valid value for reduction": "'none', 'mean' or 'sum'",
    "is unknown": "'min' or 'max'",
    "number of sliding blocks": "fold takes what unfold gave of a tensor of this output_size, "
    "by the same numbers",
    "product of kernel_size": "fold takes (N, C * kernel height * kernel width, L), as unfold gives it",
}


@explains("out-of-range")
def out_of_range(failure: Failure) -> Hits:
    said = failure.groups["said"].rstrip(".")
    whole = ": a whole number, as int() and // give it" if FRACTION.search(said) else _to_be(said)
    yield failure.hit(say("value-refused", value=said[0].lower() + said[1:], whole=whole))


@explains("refused-by-torch")
def refused_by_torch(failure: Failure) -> Hits:
    last = failure.raised_in
    if last.endswith("torch/optim/lbfgs.py") and "NoneType" in failure.message:
        yield failure.hit(say("closure-step-given-returns"))
        return
    if re.search(r"-packages/torch/(?:nn|optim|distributions|utils/data)/", last):
        yield from out_of_range(failure)


@explains("of-a-spectrogram")
def of_a_spectrogram(failure: Failure) -> Hits:
    if failure.frames and "torchaudio" in failure.frames[-1].path:
        says = "`normalized` of a spectrogram is a bool, 'window' or 'frame_length'"
        yield failure.hit(f"{says}, and another kind came")


def _to_be(said: str) -> str:
    """What to follow what was said, with its colon; nothing where that tells enough."""
    return next((f": {value}" for words, value in TO_BE.items() if words in said), "")
