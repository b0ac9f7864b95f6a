"""Error messages: a kernel on the GPU has found its input wrong."""

from __future__ import annotations

import os
import re

from keng.explain.failure import Failure
from keng.model import Hits, Message, say
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
        yield failure.hit(say("assert-on-this-line", check=says))


def _waited_for(failure: Failure) -> bool:
    here = failure.live.caught and os.environ.get("CUDA_LAUNCH_BLOCKING") == "1"
    return here or WAITED.search(f"{failure.surrounding}\n{failure.context}") is not None


def _check_of_call(failure: Failure) -> Message | None:
    """The check that failed; None if the call does not check its inputs."""
    called = [frame.function for frame in failure.frames if "torch/nn/functional.py" in frame.posix]
    if any(LABELS.match(name) for name in called):
        return _label_outside(failure)
    if any(PROBABILITIES.match(name) for name in called):
        given = failure.loss_argument_name(0, say("the-input"))
        return say("not-probabilities", given=given)
    if "embedding" in called:
        return _outside_of_table(failure)
    if DRAWN.search(failure.line):
        return say("probabilities-invalid")
    return _picked(failure) if PICKED.search(failure.line) else None


def _label_outside(failure: Failure) -> Message:
    target = failure.loss_argument_name(1, say("the-target"))
    shape = failure.live.loss_inputs[0].shape if failure.live.loss_inputs else ()
    if not shape:
        return say("label-outside-unknown-classes", target=target)
    last = shape[min(1, len(shape) - 1)] - 1
    return say("label-outside-classes", target=target, last=last)


def _outside_of_table(failure: Failure) -> Message:
    layer, name = failure.live.layer, failure.input_name
    table = layer.held[0].shape if layer is not None and layer.held else ()
    if not table:
        return say("index-outside-unknown-table", name=name)
    return say("index-outside-table", name=name, last=table[0] - 1, layer=failure.layer)


def _picked(failure: Failure) -> Message:
    failing = failure.live.failing
    whole = [t for t in (failing.tensors if failing is not None else ()) if "int" in t.dtype]
    if whole:
        return say("index-outside-range-of", name=whole[-1].name)
    return say("index-outside-range")
