"""Error messages: a warning tells of something that changes no result."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("copy-of-an-iterator")
def copy_of_an_iterator(failure: Failure) -> Hits:
    if failure.passed_through("torch/utils/data/dataloader.py"):
        yield failure.hit(say("forked-process-worker-another"))
