"""Source code: an optimizer is made anew for each batch, and forgets what it has gathered."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import finds
from keng.source import Code


@finds
def made_for_each_batch(code: Code) -> Hits:
    for call, name in code.optimizers_made_in_rounds():
        says = f"a new `{name}` for each batch: what it gathers of past gradients is lost"
        yield code.hit(call, says)
