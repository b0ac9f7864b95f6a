"""The ranks of a job: one rank has died, and the others wait for it."""

from __future__ import annotations

from keng.model import Fix, Hits
from keng.ranks.calls import Side, spoken
from keng.ranks.reports import Ranks
from keng.rules import compares


@compares
def others_wait(ranks: Ranks) -> Hits:
    parting = ranks.parting
    if parting is None or not parting.broken:
        return
    gone = ", ".join(map(str, parting.broken))
    for side in (side for side in parting.sides if side.collective is not None):
        says = f"{gone}; {spoken(side.ranks)} waited in {side.collective}"
        yield ranks.hit(says, side.where, fix=_looked_into(parting.broken[0]))


def _looked_into(side: Side) -> Fix:
    asks = "`dmesg | grep -i oom` says whether it was killed for memory; then fewer workers, or smaller batches"
    if "SIGABRT" in side.gone:
        asks = 'Read what C++ wrote above: "Received data size doesn\'t match" is of calls that differ, or of a smaller tensor'
    elif not any(word in side.gone for word in ("memory", "SIGKILL", "without a word")):
        asks = f"Read the error of {spoken(side.ranks)}: `torchrun --log-dir logs --tee 3` keeps what each rank says in a file"
    return Fix(asks, (), "shown")
