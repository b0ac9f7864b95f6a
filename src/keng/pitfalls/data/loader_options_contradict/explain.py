"""Error messages: options of a DataLoader exclude each other."""

from __future__ import annotations

from keng.explain.advice.datasets import lists_for_indices
from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


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
    if lists_for_indices(failure):
        yield failure.hit(
            "the sampler gives lists, and the dataset gets one for an index: what gives whole batches goes to batch_sampler=, without batch_size and shuffle"
        )
