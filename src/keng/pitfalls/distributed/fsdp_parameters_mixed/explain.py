"""Error messages: fSDP is given parameters that it cannot lay into one."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, Message, say
from keng.rules import explains

ZERO3 = re.compile(r"zero[ _-]{0,2}(?:stage[ _-]{0,2})?3|deepspeed", re.IGNORECASE)


@explains("of-several-dtypes")
def of_several_dtypes(failure: Failure) -> Hits:
    yield failure.hit(say("unit-of-several-dtypes"))


@explains("partly-frozen")
def partly_frozen(failure: Failure) -> Hits:
    yield failure.hit(say("unit-partly-frozen"))


@explains("tensors-of-two-kinds")
def tensors_of_two_kinds(failure: Failure) -> Hits:
    yield failure.hit(_of_two_kinds(failure.groups["op"]))


@explains("used-while-sharded")
def used_while_sharded(failure: Failure) -> Hits:
    if ZERO3.search(f"{failure.context} {failure.message}"):
        yield failure.hit(say("table-empty-under-zero3"))
        return
    yield failure.hit(say("table-not-whole"))


@explains("changed-between")
def changed_between(failure: Failure) -> Hits:
    yield failure.hit(say("parameters-replaced"))


@explains("on-another-card")
def on_another_card(failure: Failure) -> Hits:
    rank, there, wants = (failure.groups[key] for key in ("rank", "there", "wants"))
    yield failure.hit(say("parameters-on-another-gpu", rank=rank, there=there, wants=wants))


def _of_two_kinds(op: str) -> Message:
    """One line about plain tensors that meet sharded ones in this operation, "_foreach_lerp_"."""
    if re.match(r"_foreach|_fused|stack$|lerp|(?:mul|add|addcmul|addcdiv|div)_$", op):
        return say("optimizer-mixes-kinds")
    return say("plain-meets-sharded")
