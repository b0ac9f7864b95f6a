"""Error messages: a file of ONNX is newer than what reads it."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("format-too-new")
def format_too_new(failure: Failure) -> Hits:
    has, most = failure.groups["has"], failure.groups["most"]
    numbers = f" ({has}, which reads up to {most})" if has else ""
    says = say("file-s-format-ir", numbers=numbers)
    yield failure.hit(says, sure=failure.mentions_torch)  # a file of any exporter


@explains("opset-too-new")
def opset_too_new(failure: Failure) -> Hits:
    has, most = failure.groups["has"], failure.groups["most"]
    yield failure.hit(say("file-has-opset-newest", most=has, most_2=most))


@explains("attribute-too-new")
def attribute_too_new(failure: Failure) -> Hits:
    yield failure.hit(say("came-later-opset-than", what=failure.groups["what"]))


@explains("operator-not-in-opset")
def operator_not_in_opset(failure: Failure) -> Hits:
    op, opset = failure.groups["op"], failure.groups["opset"]
    yield failure.hit(say("opset-has-no-higher", op=opset, op_2=op))


@explains("operator-of-a-plugin")
def operator_of_a_plugin(failure: Failure) -> Hits:
    yield failure.hit(say("not-onnx-s-own", op=failure.groups["op"]))
