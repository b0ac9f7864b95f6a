"""Error messages: a dataset asks a table of pandas for its rows by their labels."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

FETCHES = ("torch/utils/data/_utils/fetch.py", "torch/utils/data/dataset.py")


@explains("no-row-of-that-label")
def no_row_of_that_label(failure: Failure) -> Hits:
    pandas = any("/pandas/" in frame.posix for frame in failure.frames)
    if pandas and failure.passed_through(*FETCHES):
        label = failure.groups["label"]
        yield failure.hit(say("sample-looked-up-label", label=label))
