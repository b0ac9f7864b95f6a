"""Error messages: a model of more than 2 GB is written into one ONNX file."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("over-the-limit")
def over_the_limit(failure: Failure) -> Hits:
    says = say("pass-a-path")
    if "ModelProto" in failure.message:
        says = say("save-as-external-data")
    elif "use_external_data_format" in failure.message:
        says = say("use-external-data-format")
    yield failure.hit(says)
