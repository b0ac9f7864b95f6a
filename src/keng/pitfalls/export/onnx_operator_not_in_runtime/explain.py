"""Error messages: an exported model has an operator that what runs it does not know."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains

SIMPLER = "onnxsim on a file of fixed sizes, another opset_version, or other operations"


@explains("not-in-the-browser")
def not_in_the_browser(failure: Failure) -> Hits:
    op, opset = failure.groups["op"], failure.groups["opset"]
    yield failure.hit(
        f"onnx.js has no {op} of opset {opset}, and is not worked on any more: onnxruntime-web in its place, or {SIMPLER}"
    )


@explains("not-in-opencv")
def not_in_opencv(failure: Failure) -> Hits:
    layer = failure.groups.get("layer", "")
    if (
        layer.isdigit() or failure.contains("onnx") or failure.mentions_torch
    ):  # no graph of TensorFlow
        yield failure.hit(
            f"the reader of OpenCV does not know {failure.groups['op']}: a newer OpenCV, {SIMPLER}"
        )


@explains("not-by-this-converter")
def not_by_this_converter(failure: Failure) -> Hits:
    op, opset = failure.groups["op"], failure.groups.get("opset")
    of = f" of opset {opset}" if opset else ""
    yield failure.hit(
        f"what reads the model does not know {op}{of}: a newer version of it, {SIMPLER}"
    )


@explains("not-in-tensorflow")
def not_in_tensorflow(failure: Failure) -> Hits:
    said = f"{failure.kind}: {failure.message}"
    if "BackendIsNotSupposedToImplementIt: " in said or failure.contains("onnx_tf"):
        op, opset = failure.groups["op"], failure.groups["opset"]
        yield failure.hit(
            f"onnx-tf does not know {op} of opset {opset}: a newer version of it, {SIMPLER}"
        )
