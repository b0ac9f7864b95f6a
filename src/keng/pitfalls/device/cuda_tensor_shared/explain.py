"""Error messages: a tensor on the GPU is handed from process to process, or outlives the one that made it."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("gone-before-it-is-read")
def gone_before_it_is_read(failure: Failure) -> Hits:
    if failure.passed_through("torch/multiprocessing/reductions.py"):
        yield failure.hit(say("tensor-on-gpu-read"))
