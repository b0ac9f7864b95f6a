"""Error messages: deepSpeed, FSDP or accelerate is asked for what it does not do."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("batch-that-cannot-be-split")
def batch_that_cannot_be_split(failure: Failure) -> Hits:
    batch, ranks = failure.groups["batch"], failure.groups["ranks"]
    yield failure.hit(say("batch-split-over-processes", ranks=batch, ranks_2=ranks))


@explains("batch-that-cannot-be-shared")
def batch_that_cannot_be_shared(failure: Failure) -> Hits:
    batch, cards = failure.groups["batch"], failure.groups["cards"]
    yield failure.hit(say("batch-all-cards-together", cards=batch, cards_2=cards))


@explains("product-of-the-parts")
def product_of_the_parts(failure: Failure) -> Hits:
    wanted, there = failure.groups["wanted"], failure.groups["there"]
    yield failure.hit(
        say("sizes-parallelismconfig-multiply-processes", there=wanted, there_2=there)
    )
