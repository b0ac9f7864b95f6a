"""Source code: a counter of rounds without improvement is not set back when things improve."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import finds
from keng.source import Code


@finds
def counted_in_all(code: Code) -> Hits:
    for added, name, best in code.counters_never_reset():
        says = f"`{name}` is not set back to 0 where `{best}` gets better"
        yield code.hit(added, f"{says}: bad rounds are counted in all, not in a row")
