"""The ranks of a job: a collective is called on some ranks only."""

from __future__ import annotations

from keng.model import Hits
from keng.ranks.calls import spoken
from keng.ranks.reports import Ranks
from keng.rules import compares


@compares
def made_alone(ranks: Ranks) -> Hits:
    parting = ranks.parting
    if parting is None or parting.broken or (side := parting.alone) is None:
        return
    waits, makes = ("waits", "makes") if len(side.ranks) == 1 else ("wait", "make")
    does = f"{waits} alone in" if parting.stands else f"alone {makes}"
    under = f" under `{side.guard}`" if side.guard else ""
    says = f"{spoken(side.ranks)} {does} {side.collective}{under}; {parting.others(side)}"
    yield ranks.hit(says, side.where, sure=parting.sure, call=parting.number)
