"""The ranks of a job: one rank has died, and the others wait for it."""

from __future__ import annotations

from keng.model import Fix, Hits, say
from keng.pitfalls.distributed._shared_ranks import call_of, sides_of
from keng.ranks.calls import Side, spoken
from keng.ranks.reports import Ranks
from keng.rules import compares


@compares
def others_wait(ranks: Ranks) -> Hits:
    parting = ranks.parting
    if parting is None or not parting.broken or parting.aborted or parting.aborted_alike:
        return
    gone = sides_of(parting.broken)
    for side in (side for side in parting.sides if side.collective is not None):
        says = say(
            "others-waited",
            gone=gone,
            ranks=spoken(side.ranks),
            call=call_of(side.collective),
        )
        yield ranks.hit(says, side.where, fix=_looked_into(parting.broken[0]))
    if all(side.collective is None for side in parting.sides):
        yield ranks.hit(say("others-ended", gone=gone), None, fix=_looked_into(parting.broken[0]))


def _looked_into(side: Side) -> Fix:
    asks = say("asks-kernel-log")
    if "SIGABRT" in side.gone:
        asks = say("reads-cxx-error")
    elif not any(word in side.gone for word in ("memory", "SIGKILL", "disappeared")):
        asks = say("reads-rank-error", ranks=spoken(side.ranks))
    return Fix(asks, (), "shown")
