"""Error messages: a loss gets targets or weights that do not fit its input."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("pairs-of-others")
def pairs_of_others(failure: Failure) -> Hits:
    sizes = failure.groups["sizes"]
    rows = failure.groups["target"] == "1"
    two = say("one-target-for-two", sizes=sizes)
    yield failure.hit(say("target-for-each-row", sizes=sizes) if rows else two)


@explains("no-such-class")
def no_such_class(failure: Failure) -> Hits:
    if any(frame.function == "multi_margin_loss" for frame in failure.frames):
        yield failure.hit(say("label-no-class-number"))


@explains("weights-of-elements")
def weights_of_elements(failure: Failure) -> Hits:
    if failure.raised_in.endswith("torch/nn/functional.py"):
        yield failure.hit(say("loss-has-one-number"))
