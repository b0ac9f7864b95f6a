"""Error messages: a normalization in training gets one value per channel."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from keng.explain.failure import Failure
from keng.model import Fix, Hits
from keng.rules import explains
from keng.source import Code
from keng.source.flow import whole_number
from keng.source.tree import LOOPS

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
            fix = _last_left_out(failure.code, lines)
    yield failure.hit(f"{came}, of which there is no variance: {cure}", fix)


@explains("one-place")
def one_place(failure: Failure) -> Hits:
    came = f"{failure.layer} normalizes over the map of each sample, and one place is left of it"
    yield failure.hit(f"{came}: larger inputs, less pooling, or another norm")


def _last_left_out(code: Code, lines: Sequence[int]) -> Fix | None:
    """A fix for the DataLoader whose batches the innermost loop around one of these lines goes through,
    where these are known to be of several samples; the last line is the deepest."""
    around = [[n for n in code.of(*LOOPS) if code.tree.covers(n, line)] for line in lines]
    inner = [max(loops, key=lambda loop: loop.lineno) for loops in around if loops]
    made = [code.loaders.loader_made(n.iter) if isinstance(n, ast.For) else None for n in inner]
    call = made[-1] if made and made[-1] in code.tree.parent else None
    size = code.calls.argument(call, "batch_size", 1) if call is not None else None
    written = code.flow.assigned_value(size) or size
    if call is None or written is None or (whole_number(written) or 1) < 2:
        return None
    if any(k.arg in (None, "drop_last", "batch_sampler") for k in call.keywords):
        return None
    return code.edits.add_argument(
        call, "drop_last=True", "Leave the last batch of one out", "shown"
    )
