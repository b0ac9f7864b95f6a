"""The ranks of a job: the ranks call different collectives, or not the same number of them."""

from __future__ import annotations

from keng.model import Fix, Hits
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
        says = f"{spoken(ahead.ranks)} left the loop of line {ahead.left.line} for {ahead.call}; {does}"
    elif gone and at_it:
        says = f"{', '.join(map(str, gone))} before call {number}; {does}"
    elif parting.swapped:
        says = f"calls {number} and {number + 1} are made in two orders: {', '.join(map(str, parting.sides))}"
    else:
        says = f"call {number} is not one call: {', '.join(map(str, parting.sides))}"
    makers = [side for side in parting.sides if side.makes_group]
    made = [side for side in (*at_it, *parting.sides) if side.collective]
    where = next((side.where for side in (*makers, *made)), None)
    cure = GROUPS if makers else EQUAL if ahead is not None or gone else ""
    yield ranks.hit(says, where, fix=Fix(cure, (), "shown") if cure else None, call=number)


@compares
def groups_differ(ranks: Ranks) -> Hits:
    for first, last in ranks.stall.unlike_groups if ranks.stall is not None else ():
        yield ranks.hit(
            f"rank {first.rank} makes its process group number {first.group_awaited}, rank {last.rank} its number "
            f"{last.group_awaited}: an earlier one was made by some ranks only",
            first.where,
            fix=Fix(GROUPS, (), "shown"),
        )
