"""Error messages: a layer in floats gets a quantized tensor."""

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


@explains("no-engine")
def no_engine(failure: Failure) -> Hits:
    yield failure.hit(say("no-engine", op=failure.groups["op"]))


@explains("input-in-floats")
def input_in_floats(failure: Failure) -> Hits:
    yield failure.hit(say("input-of-floats", op=failure.groups["op"]))


@explains("not-on-the-card")
def not_on_the_card(failure: Failure) -> Hits:
    op, backend = failure.groups["op"], failure.groups["backend"]
    yield failure.hit(say("runs-on-cpu-only", op=op, backend=backend))


@explains("copied-to-floats")
def copied_to_floats(failure: Failure) -> Hits:
    says = say("copied-into-floats")
    if failure.contains("load_state_dict") or "While copying the parameter" in failure.message:
        says = say("file-of-quantized-model")
    yield failure.hit(says)


@explains("engine-not-built")
def engine_not_built(failure: Failure) -> Hits:
    yield failure.hit(say("engine-not-built", name=failure.groups["name"]))
