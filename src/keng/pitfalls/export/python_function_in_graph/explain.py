"""Error messages: a function in Python stands in a graph that is to do without Python."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("called-in-a-trace")
def called_in_a_trace(failure: Failure) -> Hits:
    yield failure.hit(say("python-code-in-model", name=failure.groups["name"]))


@explains("written-as-onnx")
def written_as_onnx(failure: Failure) -> Hits:
    name = failure.groups["name"]
    other = say("function-without-onnx", name=name)
    yield failure.hit(say("swish-without-onnx", name=name) if "Swish" in name else other)


@explains("reads-more-than-it-is-given")
def reads_more_than_it_is_given(failure: Failure) -> Hits:
    if failure.contains("onnx"):
        checkpoint = failure.contains("checkpoint")
        yield failure.hit(say("checkpoint-in-export") if checkpoint else say("function-in-export"))
