"""A running program: a run is resumed, and a part of its checkpoint is left behind."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.moments import PartialResume


@watches("resume.partial")
def part_left_behind(seen: PartialResume) -> Hits:
    names = ", ".join(f"`{key}`" for _, key in seen.left)
    kinds = " and ".join(sorted({kind for kind, _ in seen.left}))
    yield seen.hit(f"its {names} is not restored: training goes on with a new {kinds}")
