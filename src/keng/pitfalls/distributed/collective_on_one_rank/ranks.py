"""The ranks of a job: a collective is called on some ranks only."""

from __future__ import annotations

from keng.model import Hits, Message, say
from keng.pitfalls.distributed._shared_ranks import call_of, sides_of
from keng.ranks.calls import Parting, Side, spoken
from keng.ranks.reports import Ranks
from keng.rules import compares


@compares
def made_alone(ranks: Ranks) -> Hits:
    parting = ranks.parting
    if parting is None or parting.broken or (side := parting.alone) is None:
        return
    yield ranks.hit(_alone(side, parting), side.where, sure=parting.sure, call=parting.number)


def _alone(side: Side, parting: Parting) -> Message:
    ranks, call = spoken(side.ranks), call_of(side.collective)
    others = sides_of([other for other in parting.sides if other is not side])
    given = {"ranks": ranks, "call": call, "others": others}
    if parting.stands and side.guard:
        return say("waits-alone-under", guard=side.guard, **given)
    if parting.stands:
        return say("waits-alone", **given)
    if side.guard:
        return say("makes-alone-under", guard=side.guard, **given)
    return say("makes-alone", **given)
