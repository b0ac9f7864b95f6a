"""Error messages: an argument has a value that PyTorch does not take."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

FRACTION = re.compile(r"integer .{1,40} \d+\.\d")

TO_BE = {
    "probability has to be between 0 and 1": say("probability-is-a-fraction"),
    "quantile() q must be": say("quantile-is-a-fraction"),
    "Nesterov momentum": say("nesterov-needs-momentum"),
    "not supported for strided": say("padding-of-a-strided-convolution"),
    "must be divisible by groups": say("groups-divide-channels"),
    "either size or scale_factor": say("size-or-scale-factor"),
    "align_corners option": say("align-corners-of-a-linear-mode"),
    "is not finite": say("values-not-finite"),
    "unsupported range": say("range-not-finite"),
    "Padding length must be": say("padding-in-pairs"),
    "is not a valid value for reduction": say("reductions"),
    "is unknown": say("minimum-or-maximum"),
    "number of sliding blocks": say("fold-of-another-size"),
    "product of kernel_size": say("fold-needs-blocks"),
}
"""What to write where the message has these words."""


@explains("out-of-range")
def out_of_range(failure: Failure) -> Hits:
    said = failure.groups["said"].rstrip(".")
    said = said[0].lower() + said[1:]
    fraction = say("write-an-integer") if FRACTION.search(said) else None
    advice = fraction or next(
        (do for words, do in TO_BE.items() if words.lower() in said.lower()), None
    )
    if advice is None:
        yield failure.hit(say("value-rejected", said=said))
    else:
        yield failure.hit(say("value-rejected-do", said=said, advice=advice))


@explains("refused-by-torch")
def refused_by_torch(failure: Failure) -> Hits:
    last = failure.raised_in
    if last.endswith("torch/optim/lbfgs.py") and "NoneType" in failure.message:
        yield failure.hit(say("closure-returns-nothing"))
        return
    if re.search(r"-packages/torch/(?:nn|optim|distributions|utils/data)/", last):
        yield from out_of_range(failure)


@explains("of-a-spectrogram")
def of_a_spectrogram(failure: Failure) -> Hits:
    if failure.frames and "torchaudio" in failure.frames[-1].path:
        yield failure.hit(say("spectrogram-normalized"))
