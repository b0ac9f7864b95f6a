"""Error messages: a file of ONNX is not whole, or is none."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("no-onnx")
def no_onnx(failure: Failure) -> Hits:
    says = say("file-no-onnx-or")
    yield failure.hit(says, sure=False)  # of any exporter


@explains("weights-left-behind")
def weights_left_behind(failure: Failure) -> Hits:
    yield failure.hit(say("weights-stand-lie-beside", file=failure.groups["file"]))
