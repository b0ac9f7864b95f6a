"""Error messages: an ONNX file is not whole, is none, or is newer than what reads it."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("no-onnx")
def no_onnx(failure: Failure) -> Hits:
    says = say("file-no-onnx-or")
    yield failure.hit(says, sure=False)  # of any exporter


@explains("format-too-new")
def format_too_new(failure: Failure) -> Hits:
    has, most = failure.groups["has"], failure.groups["most"]
    says = say("format-too-new")
    if has:
        says = say("format-too-new-by-number", has=has, most=most)
    yield failure.hit(says, sure=failure.mentions_torch)  # a file of any exporter
