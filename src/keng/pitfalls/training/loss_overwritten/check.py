"""Source code: each round of a loop sets the loss anew, and only the last one is left."""

from __future__ import annotations

from keng.model import Fix, Hits
from keng.rules import finds
from keng.source import Code


@finds(fixes=True)
def only_the_last_is_left(code: Code) -> Hits:
    for kept, name, loop, zero in code.losses_overwritten():
        says = f"each round over `{code.text_of(loop.iter)}` sets `{name}` anew: only the last is left behind it"
        added = Fix("Add them", (code.insert(kept.value, f"{name} + "),), "unsafe")
        yield code.hit(kept, says, added if zero else None)
