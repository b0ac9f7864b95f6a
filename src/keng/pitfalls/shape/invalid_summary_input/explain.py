"""Error messages: a summary of a model is asked for with an input that the model does not take, or gives outputs that it cannot count."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

SUMMARY = "torchsummary/torchsummary.py"


@explains("output-without-size")
def output_without_size(failure: Failure) -> Hits:
    if failure.raised_in.endswith(SUMMARY):
        yield failure.hit(say("output-has-no-size", kind=failure.groups["kind"]))


@explains("outputs-not-counted")
def outputs_not_counted(failure: Failure) -> Hits:
    if failure.passed_through(SUMMARY):
        yield failure.hit(say("several-outputs-not-counted"))
