"""Error messages: fSDP is given parameters that it cannot lay into one."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.rules import explains

ZERO3 = re.compile(r"zero[ _-]{0,2}(?:stage[ _-]{0,2})?3|deepspeed", re.IGNORECASE)


@explains("of-several-dtypes")
def of_several_dtypes(failure: Failure) -> Hits:
    yield failure.hit(say("one-fsdp-unit-holds-2"))


@explains("partly-frozen")
def partly_frozen(failure: Failure) -> Hits:
    yield failure.hit(say("one-fsdp-unit-holds"))


@explains("tensors-of-two-kinds")
def tensors_of_two_kinds(failure: Failure) -> Hits:
    yield failure.hit(_of_two_kinds(failure.groups["op"]))


@explains("used-while-sharded")
def used_while_sharded(failure: Failure) -> Hits:
    if ZERO3.search(f"{failure.context} {failure.message}"):
        yield failure.hit(say("table-empty-zero-shares"))
        return
    yield failure.hit(say("table-not-words-features"))


@explains("changed-between")
def changed_between(failure: Failure) -> Hits:
    yield failure.hit(say("parameters-were-replaced-between"))


@explains("on-another-card")
def on_another_card(failure: Failure) -> Hits:
    rank, there, wants = (failure.groups[key] for key in ("rank", "there", "wants"))
    yield failure.hit(say("on-rank-parameters-lie", wants=rank, there=there, wants_2=wants))


def _of_two_kinds(op: str) -> str:
    """One line about plain tensors that meet sharded ones in this operation, "_foreach_lerp_"."""
    if re.match(r"_foreach|_fused|stack$|lerp|(?:mul|add|addcmul|addcdiv|div)_$", op):
        return (
            "plain and sharded parameters go through one call, of an optimizer or clip_grad_norm_: shard "
            "all of them, or each kind by itself (foreach=False for an optimizer)"
        )
    return (
        "a plain tensor meets a sharded weight: a method is called past the forward that gathers it "
        "(register_fsdp_forward_method), a parameter was made after sharding, or tensor parallelism wants "
        "its input as a DTensor"
    )
