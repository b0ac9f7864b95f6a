"""A running program: the best weights are kept without a copy, and go on changing."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import watches
from keng.run.moments import LostState


@watches("state.lost")
def loaded_from_its_own_memory(seen: LostState) -> Hits:
    when = f"{seen.steps} steps later" if seen.steps else "after other weights were loaded"
    says = f"this is the memory of `{seen.module}` itself, not a copy: {when} nothing of it is left"
    yield seen.hit(f"{says} to load", steps=seen.steps)
