"""Error messages: a file of ONNX is newer than what reads it."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("format-too-new")
def format_too_new(failure: Failure) -> Hits:
    has, most = failure.groups["has"], failure.groups["most"]
    numbers = f" ({has}, which reads up to {most})" if has else ""
    says = f"the file's format (IR) is newer than what reads it{numbers}: a newer onnxruntime and onnx, or a lower opset_version"
    yield failure.hit(says, sure=failure.mentions_torch)  # a file of any exporter


@explains("opset-too-new")
def opset_too_new(failure: Failure) -> Hits:
    has, most = failure.groups["has"], failure.groups["most"]
    yield failure.hit(
        f"the file has opset {has}, and {most} is the newest that is read here: a newer runtime, or opset_version={most}"
    )


@explains("attribute-too-new")
def attribute_too_new(failure: Failure) -> Hits:
    yield failure.hit(
        f"`{failure.groups['what']}` came with a later opset than the file says or the runtime knows: a newer runtime, or another opset_version"
    )


@explains("operator-not-in-opset")
def operator_not_in_opset(failure: Failure) -> Hits:
    op, opset = failure.groups["op"], failure.groups["opset"]
    yield failure.hit(f"opset {opset} has no {op}: a higher opset_version, or a newer runtime")


@explains("operator-of-a-plugin")
def operator_of_a_plugin(failure: Failure) -> Hits:
    yield failure.hit(
        f"`{failure.groups['op']}` is not ONNX's own: SessionOptions.register_custom_ops_library, or an export without it"
    )
