"""Error messages: a quantized tensor is used where it does not fit, or is made with wrong values."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("no-kernel")
def no_kernel(failure: Failure) -> Hits:
    op = failure.groups["op"]
    says = say("layer-not-quantized", layer=failure.layer)
    if re.match(r"(?:add|sub|mul|div)_?\b", op):
        says = say("operator-not-quantized", op=op)
    if op.startswith("quantize_per"):
        says = say("quantized-twice")
    if "quantized::embedding" in failure.message:
        says = say("indices-quantized")
    if "batch_norm" in op:
        says = say("norm-not-fused", layer=failure.layer)
    yield failure.hit(says, operator=op)


@explains("float-weights")
def float_weights(failure: Failure) -> Hits:
    yield failure.hit(say("layer-of-floats", layer=failure.layer))


@explains("copied-to-floats")
def copied_to_floats(failure: Failure) -> Hits:
    says = say("copied-into-floats")
    if failure.contains("load_state_dict") or "While copying the parameter" in failure.message:
        says = say("file-of-quantized-model")
    yield failure.hit(says)


@explains("with-plain-ones")
def with_plain_ones(failure: Failure) -> Hits:
    kinds = failure.groups["kinds"].replace(" ", ", ")
    yield failure.hit(say("quantized-meets-plain", kinds=kinds))


@explains("zero-beyond")
def zero_beyond(failure: Failure) -> Hits:
    zero, above = failure.groups["zero"], "above" in failure.groups["side"]
    below = say("zero-point-below", zero=zero)
    yield failure.hit(say("zero-point-above", zero=zero) if above else below)
