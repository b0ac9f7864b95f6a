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


@explains("with-plain-ones")
def with_plain_ones(failure: Failure) -> Hits:
    kinds = failure.groups["kinds"].replace(" ", ", ")
    yield failure.hit(say("quantized-meets-plain", kinds=kinds))


@explains("of-a-plain-dtype")
def of_a_plain_dtype(failure: Failure) -> Hits:
    yield failure.hit(say("dtype-not-quantized", came=failure.groups["came"]))


@explains("zero-beyond")
def zero_beyond(failure: Failure) -> Hits:
    zero, above = failure.groups["zero"], "above" in failure.groups["side"]
    below = say("zero-point-below", zero=zero)
    yield failure.hit(say("zero-point-above", zero=zero) if above else below)


@explains("scales-of-others")
def scales_of_others(failure: Failure) -> Hits:
    channels, came = failure.groups["channels"], failure.groups["came"]
    yield failure.hit(say("scales-of-other-channels", channels=channels, came=came))


@explains("no-such-axis")
def no_such_axis(failure: Failure) -> Hits:
    yield failure.hit(say("no-such-axis", axis=failure.groups["axis"]))


@explains("asked-of-floats")
def asked_of_floats(failure: Failure) -> Hits:
    yield failure.hit(say("operation-of-quantized", op=failure.groups["op"]))
