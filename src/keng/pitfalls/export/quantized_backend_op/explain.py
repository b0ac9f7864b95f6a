"""Error messages: a layer in floats gets a quantized tensor."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("no-kernel")
def no_kernel(failure: Failure) -> Hits:
    op = failure.groups["op"]
    says = f"{failure.layer} is not quantized and its input is: DeQuantStub before it, or a qconfig for it"
    if re.match(r"(?:add|sub|mul|div)_?\b", op):
        says = f"`{op}` does not know quantized tensors: FloatFunctional().add(x, y) and its like in the model, or x.dequantize()"
    if op.startswith("quantize_per"):
        says = "the tensor is quantized already, and QuantStub or quantize_per_tensor comes a second time: one of the two"
    if "quantized::embedding" in failure.message:
        says = "an embedding gets its indices quantized: they go past the QuantStub, as integers"
    if "batch_norm" in op:
        says = f"{failure.layer} is not fused, and its input is quantized: fuse_modules before prepare, or DeQuantStub before it"
    yield failure.hit(says, operator=op)


@explains("float-weights")
def float_weights(failure: Failure) -> Hits:
    says = f"{failure.layer} holds floats and its input is quantized: DeQuantStub before it, or a qconfig for it before convert"
    yield failure.hit(says)


@explains("no-engine")
def no_engine(failure: Failure) -> Hits:
    yield failure.hit(
        f"no engine for {failure.groups['op']}: torch.backends.quantized.engine = one of its supported_engines (qnnpack on ARM)"
    )


@explains("input-in-floats")
def input_in_floats(failure: Failure) -> Hits:
    yield failure.hit(
        f"{failure.groups['op']} gets a plain tensor: QuantStub at the entry of the model"
    )


@explains("not-on-the-card")
def not_on_the_card(failure: Failure) -> Hits:
    op, backend = failure.groups["op"], failure.groups["backend"]
    yield failure.hit(
        f"{op} runs on the CPU alone, and gets {backend}: move model and input to the CPU, or quantize by torchao for the card"
    )


@explains("copied-to-floats")
def copied_to_floats(failure: Failure) -> Hits:
    says = "a quantized tensor is copied into one of floats: x.dequantize() first"
    if failure.contains("load_state_dict") or "While copying the parameter" in failure.message:
        says = "the file is of a quantized model, and this one holds floats: prepare and convert it as that one was, then load_state_dict"
    yield failure.hit(says)


@explains("engine-not-built")
def engine_not_built(failure: Failure) -> Hits:
    yield failure.hit(
        f"this PyTorch was built without the quantized engine {failure.groups['name']}: one of torch.backends.quantized.supported_engines"
    )
