"""Error messages: deepSpeed, FSDP or accelerate is asked for what it does not do."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("batch-that-cannot-be-split")
def batch_that_cannot_be_split(failure: Failure) -> Hits:
    batch, ranks = failure.groups["batch"], failure.groups["ranks"]
    yield failure.hit(
        f"a batch of {batch} is to be split over {ranks} processes: a multiple of {ranks}, or split_batches=False"
    )


@explains("batch-that-cannot-be-shared")
def batch_that_cannot_be_shared(failure: Failure) -> Hits:
    batch, cards = failure.groups["batch"], failure.groups["cards"]
    yield failure.hit(
        f"a batch of {batch} is for all {cards} cards together: a multiple of {cards}"
    )


@explains("product-of-the-parts")
def product_of_the_parts(failure: Failure) -> Hits:
    wanted, there = failure.groups["wanted"], failure.groups["there"]
    yield failure.hit(
        f"the sizes in ParallelismConfig multiply to {wanted} processes and {there} run: their product has to be {there}"
    )
