"""Error messages: a dataset of many small Python objects is copied into every worker, page by page."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("no-memory-for-a-worker")
def no_memory_for_a_worker(failure: Failure) -> Hits:
    forking = failure.passed_through("torch/utils/data/dataloader.py", "popen_fork.py")
    yield failure.hit(say("no-memory-for-worker"), sure=forking)
