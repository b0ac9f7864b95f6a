"""Error messages: a parameter of an FSDP model is used where only its shard is there."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains


@explains("storage-let-go")
def storage_let_go(failure: Failure) -> Hits:
    yield failure.hit(
        "the weight is not gathered here: go through the outermost model's forward, or FSDP.summon_full_params(model)"
    )


@explains("weight-of-size-zero")
def weight_of_size_zero(failure: Failure) -> Hits:
    yield failure.hit(
        "the weight of this layer is not gathered here and has size 0: the layer is called outside of the model that was wrapped"
    )


@explains("loaded-over-shards")
def loaded_over_shards(failure: Failure) -> Hits:
    yield failure.hit(
        f"`{failure.groups['name']}` has size 0, as ZeRO-3 or FSDP has shared out this model already: load before that, or inside "
        "deepspeed.zero.GatheredParameters(..., modifier_rank=0)"
    )


@explains("whole-in-one-pass-alone")
def whole_in_one_pass_alone(failure: Failure) -> Hits:
    shape = failure.groups["shape"]
    yield failure.hit(
        f"a weight of [{shape}] is let go in backward, [0], as ZeRO-3 does: use it in the forward of its own module alone, no sum over parameters besides"
    )
