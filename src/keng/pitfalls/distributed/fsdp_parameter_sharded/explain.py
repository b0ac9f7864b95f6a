"""Error messages: a parameter of an FSDP model is used where only its shard is there."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("storage-let-go")
def storage_let_go(failure: Failure) -> Hits:
    yield failure.hit(say("weight-not-gathered-here"))


@explains("weight-of-size-zero")
def weight_of_size_zero(failure: Failure) -> Hits:
    yield failure.hit(say("weight-layer-not-gathered"))


@explains("loaded-over-shards")
def loaded_over_shards(failure: Failure) -> Hits:
    yield failure.hit(say("has-size-zero-or", name=failure.groups["name"]))


@explains("whole-in-one-pass-alone")
def whole_in_one_pass_alone(failure: Failure) -> Hits:
    shape = failure.groups["shape"]
    yield failure.hit(say("weight-let-go-backward", shape=shape))
