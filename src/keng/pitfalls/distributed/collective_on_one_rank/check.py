"""Source code: a collective is called on some ranks only."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import finds
from keng.source import Code


@finds(fixes=True)
def reached_by_some(code: Code) -> Hits:
    for call, name, arm in code.one_sided():
        who = "rank 0 alone makes" if arm == "zero" else "all ranks but 0 make"
        waits = "waits for the others" if arm == "zero" else "wait for it"
        says = f"{who} this call of {name}, and {waits}"
        yield code.hit(call, says, fix=code.for_all_ranks(call))
