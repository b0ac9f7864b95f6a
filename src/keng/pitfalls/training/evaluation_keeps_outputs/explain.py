"""Error messages: an evaluation keeps more of a model's outputs than its scores."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("no-tensor-to-gather")
def no_tensor_to_gather(failure: Failure) -> Hits:
    kind = failure.groups["kind"]
    if "Cache" in kind or failure.passed_through("transformers/trainer.py"):
        yield failure.hit(say("no-tensor", kind=kind))


@explains("array-of-several")
def array_of_several(failure: Failure) -> Hits:
    if any(
        frame.function == "compute_metrics" and "argmax" in frame.text for frame in failure.frames
    ):
        yield failure.hit(say("predictions-tuple-since-model"))
