"""Error messages: an exported model has an operator that what runs it does not know."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("not-in-opencv")
def not_in_opencv(failure: Failure) -> Hits:
    layer = failure.groups.get("layer", "")
    if (
        layer.isdigit() or failure.contains("onnx") or failure.mentions_torch
    ):  # no graph of TensorFlow
        yield failure.hit(say("not-in-opencv", op=failure.groups["op"]))


@explains("not-by-this-converter")
def not_by_this_converter(failure: Failure) -> Hits:
    op, opset = failure.groups["op"], failure.groups.get("opset")
    known = say("not-by-this-converter-in-opset", op=op, opset=opset)
    yield failure.hit(known if opset else say("not-by-this-converter", op=op))


@explains("not-in-tensorflow")
def not_in_tensorflow(failure: Failure) -> Hits:
    said = f"{failure.kind}: {failure.message}"
    if "BackendIsNotSupposedToImplementIt: " in said or failure.contains("onnx_tf"):
        op, opset = failure.groups["op"], failure.groups["opset"]
        yield failure.hit(say("not-in-tensorflow", op=op, opset=opset))
