"""Error messages: fSDP is given parameters that it cannot lay into one."""

from __future__ import annotations

import re

from keng.explain.advice.processes import of_two_kinds
from keng.explain.failure import Failure
from keng.model import Hits
from keng.rules import explains

ZERO3 = re.compile(r"zero[ _-]{0,2}(?:stage[ _-]{0,2})?3|deepspeed", re.IGNORECASE)


@explains("of-several-dtypes")
def of_several_dtypes(failure: Failure) -> Hits:
    yield failure.hit(
        "one FSDP unit holds parameters of several dtypes: one dtype for the model before wrapping"
    )


@explains("partly-frozen")
def partly_frozen(failure: Failure) -> Hits:
    yield failure.hit(
        "one FSDP unit holds frozen and learning parameters: use_orig_params=True, or wrap them apart"
    )


@explains("tensors-of-two-kinds")
def tensors_of_two_kinds(failure: Failure) -> Hits:
    yield failure.hit(of_two_kinds(failure.groups["op"]))


@explains("used-while-sharded")
def used_while_sharded(failure: Failure) -> Hits:
    if ZERO3.search(f"{failure.told} {failure.message}"):
        yield failure.hit(
            "the table is empty, as ZeRO-3 shares it out and no engine gathers it: start by torchrun, deepspeed or accelerate launch, "
            "on one card too; a second model, as a reference, goes through prepare() as well"
        )
        return
    yield failure.hit(
        "the table is not (words, features): under ZeRO-3 or FSDP it is sharded or empty, so start by deepspeed or torchrun, and keep it "
        "in the unit that uses it; else F.embedding(indices, table) in this order"
    )


@explains("changed-between")
def changed_between(failure: Failure) -> Hits:
    yield failure.hit(
        "parameters were replaced between forward and backward, which FSDP forbids: after backward, in place, under summon_full_params"
    )


@explains("on-another-card")
def on_another_card(failure: Failure) -> Hits:
    rank, there, wants = (failure.groups[key] for key in ("rank", "there", "wants"))
    yield failure.hit(
        f"on rank {rank} the parameters lie on {there} and device_id is {wants}: torch.cuda.set_device(local_rank) first, "
        "and no .cuda() to card 0"
    )
