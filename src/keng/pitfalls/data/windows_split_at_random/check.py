"""Source code: windows that overlap are split at random."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import finds
from keng.source import Code


@finds
def neighbours_on_both_sides(code: Code) -> Hits:
    for place, part, cut in code.windows_split_at_random():
        says = f"`{cut}` shares its points with its neighbours, and `{part}` is drawn at random"
        yield code.hit(place, says)
