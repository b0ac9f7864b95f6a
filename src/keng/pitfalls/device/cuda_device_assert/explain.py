"""Error messages: a kernel on the GPU has found its input wrong."""

from __future__ import annotations

import os
import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

WAITED = re.compile(
    r"CUDA_LAUNCH_BLOCKING=1(?:: every kernel| +[\w./-]{0,80}(?:python|torchrun|accelerate|deepspeed|keng)\b)"
)
LABELS = re.compile(r"(?:cross_entropy|nll_loss|CrossEntropyLoss|NLLLoss)\w{0,4}$")
PROBABILITIES = re.compile(r"(?:binary_cross_entropy|BCELoss)$")
DRAWN = re.compile(r"\bmultinomial\(")
PICKED = re.compile(r"\b(?:gather|scatter\w*|index_\w+|take\w*)\(|\w\[[^\]:]*[a-zA-Z_][^\]:]*\]")


@explains("told-in-time")
def told_in_time(failure: Failure) -> Hits:
    if _waited_for(failure) and (says := _check_of_call(failure)):
        yield failure.hit(f"{says}: on this line, as each kernel was waited for")


@explains("told-late")
def told_late(failure: Failure) -> Hits:
    yield failure.hit(say("label-outside-c-or"))


@explains("check-that-failed")
def check_that_failed(failure: Failure) -> Hits:
    check, file = failure.groups["check"], failure.groups["file"]
    yield failure.hit(say("check-failed-line-before", file=check, file_2=file))


@explains("told-by-the-next-random-number")
def told_by_the_next_random_number(failure: Failure) -> Hits:
    yield failure.hit(say("assert-on-card-most"))


def _waited_for(failure: Failure) -> bool:
    here = failure.live.caught and os.environ.get("CUDA_LAUNCH_BLOCKING") == "1"
    return here or WAITED.search(f"{failure.surrounding}\n{failure.context}") is not None


def _check_of_call(failure: Failure) -> str:
    """Nothing where the call is none of those that check what they are given."""
    called = [frame.function for frame in failure.frames if "torch/nn/functional.py" in frame.posix]
    if any(LABELS.match(name) for name in called):
        target = failure.loss_argument_name(1, "the target")
        return f"a label in {target} is not among {_classes(failure)}, and not ignore_index"
    if any(PROBABILITIES.match(name) for name in called):
        given = failure.loss_argument_name(0, "the input")
        return f"{given} holds numbers outside of 0 to 1, as raw outputs do (BCEWithLogitsLoss), or NaN"
    if "embedding" in called:
        return f"an index in `{failure.input_name}` is not among {_rows(failure)}"
    if DRAWN.search(failure.line):
        return "the probabilities hold NaN, infinity or a negative number, or a row adds up to 0"
    return f"{_picked(failure)} is outside of its range" if PICKED.search(failure.line) else ""


def _classes(failure: Failure) -> str:
    shape = failure.live.loss_inputs[0].shape if failure.live.loss_inputs else ()
    return f"the classes 0 to {shape[min(1, len(shape) - 1)] - 1}" if shape else "the classes"


def _rows(failure: Failure) -> str:
    layer = failure.live.layer
    table = layer.held[0].shape if layer is not None and layer.held else ()
    return f"the rows 0 to {table[0] - 1} of {failure.layer}" if table else "the rows of the table"


def _picked(failure: Failure) -> str:
    failing = failure.live.failing
    whole = [t for t in (failing.tensors if failing is not None else ()) if "int" in t.dtype]
    return f"an index in `{whole[-1].name}`" if whole else "an index"
