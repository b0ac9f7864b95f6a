"""Error messages: pruning gets an amount, a dimension or a mask that does not fit its weight."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("no-share")
def no_share(failure: Failure) -> Hits:
    yield failure.hit(
        f"an amount of {failure.groups['amount']} is neither a share from 0 to 1 nor a count"
    )


@explains("more-than-there-are")
def more_than_there_are(failure: Failure) -> Hits:
    amount, there = failure.groups["amount"], failure.groups["all"]
    yield failure.hit(
        f"{amount} of {there} entries are to be pruned: a float is a share, amount=0.3"
    )


@explains("without-rows")
def without_rows(failure: Failure) -> Hits:
    yield failure.hit(
        f"a tensor of shape {failure.groups['shape']} has no rows to take out: prune the weight"
    )


@explains("mask-of-another-shape")
def mask_of_another_shape(failure: Failure) -> Hits:
    wants, came = failure.groups["wants"], failure.groups["came"]
    yield failure.hit(f"the mask is {came} and its weight {wants}")


@explains("no-pairs")
def no_pairs(failure: Failure) -> Hits:
    if failure.raised_in.endswith("torch/nn/utils/prune.py"):
        yield failure.hit(
            "global_unstructured takes pairs of a module and a name: (layer, 'weight')"
        )


@explains("no-number")
def no_number(failure: Failure) -> Hits:
    yield failure.hit(f"the amount {failure.groups['amount']} is no number: a float or an int")


@explains("no-such-dimension")
def no_such_dimension(failure: Failure) -> Hits:
    dim, shape = failure.groups["dim"], failure.groups["shape"]
    yield failure.hit(
        f"dimension {dim} is to be pruned of a tensor of shape {shape}: 0 are outputs, 1 inputs"
    )
