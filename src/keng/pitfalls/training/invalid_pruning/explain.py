"""Error messages: pruning gets an amount, a dimension or a mask that does not fit its weight."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("no-share")
def no_share(failure: Failure) -> Hits:
    yield failure.hit(say("amount-neither-share-from", amount=failure.groups["amount"]))


@explains("more-than-there-are")
def more_than_there_are(failure: Failure) -> Hits:
    amount, there = failure.groups["amount"], failure.groups["all"]
    yield failure.hit(say("entries-pruned-float-share", there=amount, there_2=there))


@explains("without-rows")
def without_rows(failure: Failure) -> Hits:
    yield failure.hit(say("tensor-shape-has-no", shape=failure.groups["shape"]))


@explains("mask-of-another-shape")
def mask_of_another_shape(failure: Failure) -> Hits:
    wants, came = failure.groups["wants"], failure.groups["came"]
    yield failure.hit(say("mask-weight", wants=came, wants_2=wants))


@explains("no-pairs")
def no_pairs(failure: Failure) -> Hits:
    if failure.raised_in.endswith("torch/nn/utils/prune.py"):
        yield failure.hit(say("global-unstructured-takes-pairs"))


@explains("no-number")
def no_number(failure: Failure) -> Hits:
    yield failure.hit(say("amount-no-number-float", amount=failure.groups["amount"]))


@explains("no-such-dimension")
def no_such_dimension(failure: Failure) -> Hits:
    dim, shape = failure.groups["dim"], failure.groups["shape"]
    yield failure.hit(say("dimension-pruned-tensor-shape", shape=dim, shape_2=shape))
