"""Error messages: the output of a CUDA graph is kept over the next call."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("overwritten")
def overwritten(failure: Failure) -> Hits:
    yield failure.hit(say("output-last-call-used"))


@explains("while-recording")
def while_recording(failure: Failure) -> Hits:
    yield failure.hit(say("while-cuda-graph-recorded"))
