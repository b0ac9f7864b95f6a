"""Error messages: a dataset of many small Python objects is copied into every worker, page by page."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("no-memory-for-a-worker")
def no_memory_for_a_worker(failure: Failure) -> Hits:
    says = "no memory is left for one more worker, which counts for as much as this process has"
    cure = "fewer, or started before the rest is loaded; each comes to copy lists and dicts of the dataset, and no arrays"
    forking = failure.passed_through("torch/utils/data/dataloader.py", "popen_fork.py")
    yield failure.hit(f"{says}: {cure}", sure=forking)
