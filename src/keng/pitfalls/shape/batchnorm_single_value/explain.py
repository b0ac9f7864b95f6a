"""Error messages: a normalization in training gets one value per channel."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from keng.explain.failure import Failure
from keng.model import Fix, Hits, Message, say
from keng.rules import explains
from keng.source import Code
from keng.source.flow import whole_number
from keng.source.tree import LOOPS

PREDICTS = re.compile(r"eval|valid|test|predict|infer|sample|generate")


@explains("one-value")
def one_value(failure: Failure) -> Hits:
    shape = [int(size) for size in failure.groups["shape"].split(",")]
    functions = [frame.function for frame in failure.frames if frame.user]
    if any(frame.function == "group_norm" for frame in failure.frames):
        yield failure.hit(say("groups-of-one-value", layer=failure.layer))
    elif any(PREDICTS.search(name) for name in functions):
        yield failure.hit(_of_one_sample(failure, shape, say("eval-before-predicting")))
    else:
        path = failure.place.path if failure.place is not None else ""
        lines = [f.line for f in failure.frames if f.path == path]
        known = failure.code is not None and len(shape) == 2
        fix = _last_left_out(failure.code, lines) if failure.code and known else None
        yield failure.hit(_of_one_sample(failure, shape, say("drop-last-or-eval")), fix)


@explains("one-place")
def one_place(failure: Failure) -> Hits:
    yield failure.hit(say("one-position-left", layer=failure.layer))


def _of_one_sample(failure: Failure, shape: Sequence[int], advice: Message) -> Message:
    """What a batch norm in training says that gets one value per channel."""
    layer = failure.layer
    if len(shape) == 2:
        return say("one-sample-in-training", layer=layer, advice=advice)
    size = " x ".join(map(str, shape[2:]))
    return say("one-map-in-training", layer=layer, size=size, advice=advice)


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
