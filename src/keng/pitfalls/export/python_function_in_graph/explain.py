"""Error messages: a function in Python stands in a graph that is to do without Python."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("called-in-a-trace")
def called_in_a_trace(failure: Failure) -> Hits:
    yield failure.hit(say("code-python-saved-model", name=failure.groups["name"]))


@explains("written-as-onnx")
def written_as_onnx(failure: Failure) -> Hits:
    name, cure = (
        failure.groups["name"],
        "a static method symbolic, or plain operations in its place",
    )
    if "Swish" in name:
        cure = "plain operations, by model.set_swish(memory_efficient=False) of EfficientNet"
    yield failure.hit(say("torch-autograd-function-has", cure=name, cure_2=cure))


@explains("reads-more-than-it-is-given")
def reads_more_than_it_is_given(failure: Failure) -> Hits:
    if failure.contains("onnx"):
        by = "checkpoint()" if failure.contains("checkpoint") else "a torch.autograd.Function"
        yield failure.hit(say("torch-onnx-export-finds", by=by))
