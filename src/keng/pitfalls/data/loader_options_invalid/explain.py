"""Error messages: options of a DataLoader or sampler exclude each other or have a value that it does not accept."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

INDEXED = re.compile(r"\[(?:index|idx|item|ind|i)\]|\bidx < 0")

MEANS = {
    "num_workers": say("number-of-workers"),
    "timeout": say("timeout-in-seconds"),
    "prefetch_factor": say("batches-prefetched"),
}


@explains("batches-for-samples")
def batches_for_samples(failure: Failure) -> Hits:
    if _lists_for_indices(failure):
        yield failure.hit(say("sampler-gives-lists-dataset"))


@explains("below-zero")
def below_zero(failure: Failure) -> Hits:
    yield failure.hit(MEANS[failure.groups["name"]])


@explains("no-whole-number")
def no_whole_number(failure: Failure) -> Hits:
    name, came = failure.groups["name"], failure.groups["came"]
    if came.isdigit() and int(came):
        yield failure.hit(say("looks-like-a-number", name=name))
    else:
        yield failure.hit(say("not-a-count", name=name, came=came))


def _lists_for_indices(failure: Failure) -> bool:
    """Whether a sampler gave a list to a data set for one index. A tensor of labels may hold several values
    for a sample, and those of torchvision's data sets hold one."""
    last = failure.frames[-1] if failure.frames else None
    fetched = any("for idx in possibly_batched_index]" in frame.text for frame in failure.frames)
    if not fetched or last is None or last.function != "__getitem__":
        return False
    known = "'list'" in failure.message or "not list" in failure.message
    by_index = INDEXED.search(last.text) is not None
    return by_index and (known or "/torchvision/datasets/" in last.posix)
