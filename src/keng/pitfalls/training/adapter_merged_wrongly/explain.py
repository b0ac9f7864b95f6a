"""Error messages: an adapter is merged into weights that cannot hold the sum as it was."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("rounded-again")
def rounded_again(failure: Failure) -> Hits:
    yield failure.hit(
        f"the sum is rounded to {failure.groups['bits']} bits again and differs a little from the adapter beside its weights: load the base model in 16 bits to merge"
    )


@explains("merged-on-top")
def merged_on_top(failure: Failure) -> Hits:
    there, after = failure.groups["there"], failure.groups["next"]
    yield failure.hit(
        f"`{there}` is in the weights already and `{after}` is added to it: unmerge_adapter() before, unless both are meant"
    )


@explains("holds-nan")
def holds_nan(failure: Failure) -> Hits:
    yield failure.hit(
        f"the sum of the weights and `{failure.groups['name']}` holds NaN: the adapter's training had broken, or float16 overflows; an earlier checkpoint"
    )


@explains("tied-layers-adapted")
def tied_layers_adapted(failure: Failure) -> Hits:
    names = failure.groups["names"]
    yield failure.hit(
        f"the adapter is on {names}, whose weight the embedding shares: apart it is right, merged it changes both; leave it out of target_modules, or untie before"
    )
