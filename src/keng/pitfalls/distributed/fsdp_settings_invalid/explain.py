"""Error messages: FSDP gets options, a mesh or parameters that it does not accept."""

from __future__ import annotations

import re

from keng.explain.failure import Failure
from keng.model import Hits, Message, say
from keng.rules import explains

ZERO3 = re.compile(r"zero[ _-]{0,2}(?:stage[ _-]{0,2})?3|deepspeed", re.IGNORECASE)


@explains("no-such-dimension")
def no_such_dimension(failure: Failure) -> Hits:
    dim, n = failure.groups["dim"], failure.groups["n"]
    single = say("shard-beyond-only-dimension", dim=dim)
    yield failure.hit(single if n == "1" else say("shard-beyond-dimension", dim=dim, n=n))


@explains("cut-unevenly")
def cut_unevenly(failure: Failure) -> Hits:
    dim, shape, ranks = (failure.groups[key] for key in ("dim", "shape", "ranks"))
    yield failure.hit(say("cut-unevenly", shape=shape, dim=dim, ranks=ranks))


@explains("replaced-by-another-shape")
def replaced_by_another_shape(failure: Failure) -> Hits:
    what, wants, came = (failure.groups[key] for key in ("what", "wants", "came"))
    yield failure.hit(say("was-replaced-one-after", came=what, wants=wants, came_2=came))


@explains("ranks-go-other-ways")
def ranks_go_other_ways(failure: Failure) -> Hits:
    one, other, a, b = (failure.groups[key] for key in ("one", "other", "a", "b"))
    yield failure.hit(say("rank-gathers-rank-ranks", b=one, a=a, other=other, b_2=b))


@explains("tensors-of-two-kinds")
def tensors_of_two_kinds(failure: Failure) -> Hits:
    yield failure.hit(_of_two_kinds(failure.groups["op"]))


@explains("used-while-sharded")
def used_while_sharded(failure: Failure) -> Hits:
    if ZERO3.search(f"{failure.context} {failure.message}"):
        yield failure.hit(say("table-empty-under-zero3"))
        return
    yield failure.hit(say("table-not-whole"))


@explains("on-another-card")
def on_another_card(failure: Failure) -> Hits:
    rank, there, wants = (failure.groups[key] for key in ("rank", "there", "wants"))
    yield failure.hit(say("parameters-on-another-gpu", rank=rank, there=there, wants=wants))


def _of_two_kinds(op: str) -> Message:
    """One line about plain tensors that meet sharded ones in this operation, "_foreach_lerp_"."""
    if re.match(r"_foreach|_fused|stack$|lerp|(?:mul|add|addcmul|addcdiv|div)_$", op):
        return say("optimizer-mixes-kinds")
    return say("plain-meets-sharded")
