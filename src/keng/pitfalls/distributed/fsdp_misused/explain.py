"""Error messages: an FSDP model is used in a way that sharded parameters do not allow."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains


@explains("of-no-dimension")
def of_no_dimension(failure: Failure) -> Hits:
    yield failure.hit(say("has-no-dimension-shard", name=failure.groups["name"]))


@explains("without-its-key")
def without_its_key(failure: Failure) -> Hits:
    name = failure.groups["name"]
    yield failure.hit(say("state-dict-has-no", name=name))


@explains("out-of-step")
def out_of_step(failure: Failure) -> Hits:
    yield failure.hit(say("fsdp-counts-one-forward"))


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
