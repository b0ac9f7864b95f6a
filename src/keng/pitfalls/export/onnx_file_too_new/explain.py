"""Error messages: a file of ONNX is newer than what reads it."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("format-too-new")
def format_too_new(failure: Failure) -> Hits:
    has, most = failure.groups["has"], failure.groups["most"]
    says = say("format-too-new")
    if has:
        says = say("format-too-new-by-number", has=has, most=most)
    yield failure.hit(says, sure=failure.mentions_torch)  # a file of any exporter


@explains("opset-too-new")
def opset_too_new(failure: Failure) -> Hits:
    has, most = failure.groups["has"], failure.groups["most"]
    yield failure.hit(say("opset-too-new", has=has, most=most))


@explains("attribute-too-new")
def attribute_too_new(failure: Failure) -> Hits:
    yield failure.hit(say("attribute-too-new", what=failure.groups["what"]))


@explains("operator-not-in-opset")
def operator_not_in_opset(failure: Failure) -> Hits:
    op, opset = failure.groups["op"], failure.groups["opset"]
    yield failure.hit(say("operator-not-in-opset", op=op, opset=opset))


@explains("operator-of-a-plugin")
def operator_of_a_plugin(failure: Failure) -> Hits:
    yield failure.hit(say("operator-of-a-plugin", op=failure.groups["op"]))
