"""Error messages: an ONNX file is written that does otherwise than the model for other inputs."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("squeezed-as-the-example")
def squeezed_as_the_example(failure: Failure) -> Hits:
    yield failure.hit(
        f"squeeze of dimension {failure.groups['dim']} is kept or dropped by the example's size: opset_version=11 or later where it varies"
    )


@explains("states-of-the-example")
def states_of_the_example(failure: Failure) -> Hits:
    yield failure.hit(
        f"the first states of the {failure.groups['kind']} are written with the example's batch: a batch of 1, or h0 and c0 as inputs of the model"
    )


@explains("counted-from-the-end")
def counted_from_the_end(failure: Failure) -> Hits:
    yield failure.hit(
        f"axis {failure.groups['axis']} is written as the example's dimensions have it: right for inputs of as many dimensions, else count from zero"
    )
