"""Error messages: an ONNX file is written that does otherwise than the model for other inputs."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("squeezed-as-the-example")
def squeezed_as_the_example(failure: Failure) -> Hits:
    yield failure.hit(say("squeeze-dimension-kept-or", dim=failure.groups["dim"]))


@explains("states-of-the-example")
def states_of_the_example(failure: Failure) -> Hits:
    yield failure.hit(say("first-states-written-example", kind=failure.groups["kind"]))


@explains("counted-from-the-end")
def counted_from_the_end(failure: Failure) -> Hits:
    yield failure.hit(say("axis-written-example-s", axis=failure.groups["axis"]))
