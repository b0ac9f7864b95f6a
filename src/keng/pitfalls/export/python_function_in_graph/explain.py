"""Error messages: a function in Python stands in a graph that is to do without Python."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("called-in-a-trace")
def called_in_a_trace(failure: Failure) -> Hits:
    yield failure.hit(
        f"`{failure.groups['name']}` is code in Python, which the saved model cannot take along: plain operations in its place"
    )


@explains("written-as-onnx")
def written_as_onnx(failure: Failure) -> Hits:
    name, cure = (
        failure.groups["name"],
        "a static method symbolic, or plain operations in its place",
    )
    if "Swish" in name:
        cure = "plain operations, by model.set_swish(memory_efficient=False) of EfficientNet"
    yield failure.hit(
        f"a torch.autograd.Function ({name}) has no form in ONNX: {cure}, or dynamo=True"
    )


@explains("reads-more-than-it-is-given")
def reads_more_than_it_is_given(failure: Failure) -> Hits:
    if failure.contains("onnx"):
        by = "checkpoint()" if failure.contains("checkpoint") else "a torch.autograd.Function"
        yield failure.hit(
            f"torch.onnx.export finds tensors in {by} that are not its arguments, as the weights of a layer: "
            "activation checkpointing off, or use_reentrant=False, or dynamo=True"
        )
