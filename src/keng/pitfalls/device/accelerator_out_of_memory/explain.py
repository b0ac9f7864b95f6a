"""Error messages: the memory of an accelerator that is no NVIDIA card is full."""

from __future__ import annotations

from keng.explain.failure import Failure
from keng.model import Hits, say
from keng.pitfalls.device._shared_explain import amount, gib
from keng.rules import explains


@explains("larger-than-metal-takes")
def larger_than_metal_takes(failure: Failure) -> Hits:
    wanted = amount(gib(failure, "wanted"))
    yield failure.hit(say("tensor-larger-than-metal-allows", wanted=wanted))


@explains("card-is-full")
def card_is_full(failure: Failure) -> Hits:
    wanted = failure.groups.get("wanted", "")
    full = say("tpu-memory-full", wanted=wanted) if wanted else say("intel-memory-full")
    yield failure.hit(full)
