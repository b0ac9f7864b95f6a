"""Error messages: an adapter is merged into weights that cannot hold the sum as it was."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("rounded-again")
def rounded_again(failure: Failure) -> Hits:
    yield failure.hit(say("sum-rounded-bits-again", bits=failure.groups["bits"]))


@explains("merged-on-top")
def merged_on_top(failure: Failure) -> Hits:
    there, after = failure.groups["there"], failure.groups["next"]
    yield failure.hit(say("weights-already-added-unmerge", after=there, after_2=after))


@explains("holds-nan")
def holds_nan(failure: Failure) -> Hits:
    yield failure.hit(say("sum-weights-holds-nan", name=failure.groups["name"]))


@explains("tied-layers-adapted")
def tied_layers_adapted(failure: Failure) -> Hits:
    names = failure.groups["names"]
    yield failure.hit(say("adapter-on-whose-weight", names=names))
