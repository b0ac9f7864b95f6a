"""Error messages: a layer in floats gets a quantized tensor."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("no-kernel")
def no_kernel(failure: Failure) -> Hits:
    op = failure.groups["op"]
    says = say("not-quantized-input-dequantstub", layer=failure.layer)
    if re.match(r"(?:add|sub|mul|div)_?\b", op):
        says = say("does-not-know-quantized", op=op)
    if op.startswith("quantize_per"):
        says = say("tensor-quantized-already-quantstub")
    if "quantized::embedding" in failure.message:
        says = say("embedding-gets-indices-quantized")
    if "batch_norm" in op:
        says = say("not-fused-input-quantized", layer=failure.layer)
    yield failure.hit(says, operator=op)


@explains("float-weights")
def float_weights(failure: Failure) -> Hits:
    says = say("holds-floats-input-quantized", layer=failure.layer)
    yield failure.hit(says)


@explains("no-engine")
def no_engine(failure: Failure) -> Hits:
    yield failure.hit(say("no-engine-torch-backends", op=failure.groups["op"]))


@explains("input-in-floats")
def input_in_floats(failure: Failure) -> Hits:
    yield failure.hit(say("gets-plain-tensor-quantstub", op=failure.groups["op"]))


@explains("not-on-the-card")
def not_on_the_card(failure: Failure) -> Hits:
    op, backend = failure.groups["op"], failure.groups["backend"]
    yield failure.hit(say("runs-on-cpu-alone", backend=op, backend_2=backend))


@explains("copied-to-floats")
def copied_to_floats(failure: Failure) -> Hits:
    says = say("quantized-tensor-copied-into")
    if failure.contains("load_state_dict") or "While copying the parameter" in failure.message:
        says = say("file-quantized-model-one")
    yield failure.hit(says)


@explains("engine-not-built")
def engine_not_built(failure: Failure) -> Hits:
    yield failure.hit(say("pytorch-was-built-without", name=failure.groups["name"]))
