"""The ranks of a job: the ranks call different collectives, or not the same number of them."""

from __future__ import annotations

from keng.model import Fix, Hits, say
from keng.ranks.calls import spoken
from keng.ranks.reports import Ranks
from keng.rules import compares

EQUAL = (
    "Give every rank as many batches: a DistributedSampler does; around DDP `with Join([model]):`"
)


GROUPS = "Let every rank make every group, in one order, whether it is in it or not"


@compares
def apart(ranks: Ranks) -> Hits:
    parting = ranks.parting
    if parting is None or parting.broken or parting.alone or not parting.sure:
        return
    number, ahead = parting.number, parting.ahead
    at_it = [side for side in parting.sides if side.collective and side is not ahead]
    gone = [side for side in parting.sides if side.gone and not side.collective]
    does = ", ".join(map(str, at_it))
    if ahead is not None and ahead.left and at_it:
        says = say(
            "left-loop-line",
            does=spoken(ahead.ranks),
            line=ahead.left.line,
            call=ahead.call,
            does_2=does,
        )
    elif gone and at_it:
        says = say("before-call", does=", ".join(map(str, gone)), number=number, does_2=does)
    elif parting.swapped:
        says = say(
            "calls-made-two-orders",
            sides=number,
            value=number + 1,
            join=", ".join(map(str, parting.sides)),
        )
    else:
        says = say("call-not-one-call", sides=number, join=", ".join(map(str, parting.sides)))
    makers = [side for side in parting.sides if side.makes_group]
    made = [side for side in (*at_it, *parting.sides) if side.collective]
    where = next((side.where for side in (*makers, *made)), None)
    cure = GROUPS if makers else EQUAL if ahead is not None or gone else ""
    yield ranks.hit(says, where, fix=Fix(cure, (), "shown") if cure else None, call=number)


@compares
def groups_differ(ranks: Ranks) -> Hits:
    for first, last in ranks.stall.unlike_groups if ranks.stall is not None else ():
        yield ranks.hit(
            say(
                "rank-makes-process-group",
                last=first.rank,
                group_awaited=first.group_awaited,
                rank=last.rank,
                group_awaited_2=last.group_awaited,
            ),
            first.where,
            fix=Fix(GROUPS, (), "shown"),
        )
