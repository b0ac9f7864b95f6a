"""Error messages: a model of more than 2 GB is written into one ONNX file."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("over-the-limit")
def over_the_limit(failure: Failure) -> Hits:
    cure = "give a path, so that the weights go into files beside it"
    if "ModelProto" in failure.message:
        cure = "onnx.save(..., save_as_external_data=True), and the path in place of the model for onnx.checker and its like"
    elif "use_external_data_format" in failure.message:
        cure = (
            "use_external_data_format=True with a path, or a newer PyTorch, which does so by itself"
        )
    yield failure.hit(say("model-has-more-than", cure=cure))
