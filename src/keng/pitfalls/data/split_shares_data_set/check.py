"""Source code: both parts of a split read one data set, and a change to one changes the other."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import finds
from keng.source import Code


@finds
def set_for_both(code: Code) -> Hits:
    for target, part, other in code.shared_by_splits():
        says = f"`{part}` and `{other}` read one data set: `{target.attr}` is set for both"
        yield code.hit(target, says)
