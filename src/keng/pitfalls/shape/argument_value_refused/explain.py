"""Error messages: an argument has a value that PyTorch does not take."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains
from keng.tables.refused_words import to_be

FRACTION = re.compile(r"integer .{1,40} \d+\.\d")


@explains("out-of-range")
def out_of_range(failure: Failure) -> Hits:
    said = failure.groups["said"].rstrip(".")
    whole = ": a whole number, as int() and // give it" if FRACTION.search(said) else to_be(said)
    yield failure.hit(f"a value is refused: {said[0].lower() + said[1:]}{whole}")


@explains("refused-by-torch")
def refused_by_torch(failure: Failure) -> Hits:
    last = failure.raised_in
    if last.endswith("torch/optim/lbfgs.py") and "NoneType" in failure.message:
        yield failure.hit("the closure that step() is given returns nothing: return loss")
        return
    if re.search(r"-packages/torch/(?:nn|optim|distributions|utils/data)/", last):
        yield from out_of_range(failure)


@explains("of-a-spectrogram")
def of_a_spectrogram(failure: Failure) -> Hits:
    if failure.frames and "torchaudio" in failure.frames[-1].path:
        says = "`normalized` of a spectrogram is a bool, 'window' or 'frame_length'"
        yield failure.hit(f"{says}, and another kind came")
