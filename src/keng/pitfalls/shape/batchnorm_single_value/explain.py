"""Error messages: a normalization in training gets one value per channel."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains

PREDICTS = re.compile(r"eval|valid|test|predict|infer|sample|generate")


@explains("one-value")
def one_value(failure: Failure) -> Hits:
    shape = [int(size) for size in failure.groups["shape"].split(",")]
    came, fix = f"{failure.layer} is in training mode and gets one sample", None
    if len(shape) > 2:
        came += f" with a map of {' x '.join(map(str, shape[2:]))}"
    functions = [frame.function for frame in failure.frames if frame.user]
    if any(frame.function == "group_norm" for frame in failure.frames):
        came = f"each group of {failure.layer} holds a single value"
        cure = "fewer groups, or a larger map"
    elif any(PREDICTS.search(name) for name in functions):
        cure = "call eval() on the model before predicting"
    else:
        cure = "batch_size above 1 and drop_last=True to train, or eval() on the model to predict"
        path = failure.place.path if failure.place is not None else ""
        lines = [f.line for f in failure.frames if f.path == path]
        if failure.code is not None and len(shape) == 2:
            fix = failure.code.last_left_out(lines)
    yield failure.hit(f"{came}, of which there is no variance: {cure}", fix)


@explains("one-place")
def one_place(failure: Failure) -> Hits:
    came = f"{failure.layer} normalizes over the map of each sample, and one place is left of it"
    yield failure.hit(f"{came}: larger inputs, less pooling, or another norm")
