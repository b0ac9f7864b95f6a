"""Error messages: a summary of a model is asked for with an input that the model does not take, or gives outputs that it cannot count."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

SUMMARY = "torchsummary/torchsummary.py"


CURE = "torchinfo.summary, which counts them"


@explains("model-refused-it")
def model_refused_it(failure: Failure) -> Hits:
    yield failure.hit(say("model-refused-what-torchinfo"))


@explains("output-without-size")
def output_without_size(failure: Failure) -> Hits:
    if failure.raised_in.endswith(SUMMARY):
        kind = failure.groups["kind"]
        yield failure.hit(
            f"a layer returns a {kind} among its outputs, as an LSTM a tuple, whose size torchsummary cannot read: {CURE}"
        )


@explains("outputs-not-counted")
def outputs_not_counted(failure: Failure) -> Hits:
    if failure.passed_through(SUMMARY):
        yield failure.hit(f"a layer has several outputs, which torchsummary cannot count: {CURE}")
