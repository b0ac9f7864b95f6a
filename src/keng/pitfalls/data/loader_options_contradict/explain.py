"""Error messages: options of a DataLoader exclude each other."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains

INDEXED = re.compile(r"\[(?:index|idx|item|ind|i)\]|\bidx < 0")


@explains("order-by-two")
def order_by_two(failure: Failure) -> Hits:
    yield failure.hit("the sampler decides the order: drop shuffle=True, or the sampler")


@explains("batches-by-two")
def batches_by_two(failure: Failure) -> Hits:
    yield failure.hit("a batch sampler makes whole batches: drop batch_size, shuffle and drop_last")


@explains("order-of-a-stream")
def order_of_a_stream(failure: Failure) -> Hits:
    option = failure.groups["option"]
    yield failure.hit(f"an iterable dataset has its own order: drop {option}, shuffle in __iter__")


@explains("without-workers")
def without_workers(failure: Failure) -> Hits:
    option = failure.groups["option"]
    yield failure.hit(
        f"{option} is about workers, and there are none: num_workers above 0, or leave it out"
    )


@explains("no-batches-to-drop")
def no_batches_to_drop(failure: Failure) -> Hits:
    yield failure.hit("batch_size=None gives single samples: there is no last batch for drop_last")


@explains("changed-afterwards")
def changed_afterwards(failure: Failure) -> Hits:
    yield failure.hit(
        f"{failure.groups['option']} is fixed once the loader is made: make another loader"
    )


@explains("no-sampler")
def no_sampler(failure: Failure) -> Hits:
    option = failure.groups["option"]
    yield failure.hit(
        f"this version takes as {option} only what inherits from Sampler: class MySampler(Sampler), or a newer PyTorch"
    )


@explains("no-way-to-start")
def no_way_to_start(failure: Failure) -> Hits:
    yield failure.hit(
        f"workers are started by fork, spawn or forkserver, and not by {failure.groups['came']}"
    )


@explains("batches-for-samples")
def batches_for_samples(failure: Failure) -> Hits:
    if _lists_for_indices(failure):
        yield failure.hit(
            "the sampler gives lists, and the dataset gets one for an index: what gives whole batches goes to batch_sampler=, without batch_size and shuffle"
        )


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
