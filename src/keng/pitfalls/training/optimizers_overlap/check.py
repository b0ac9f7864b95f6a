"""Source code: two optimizers step on the same gradients."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import finds
from keng.source import Code


@finds
def given_to_both(code: Code) -> Hits:
    for made, first in code.optimizers_sharing():
        says = f"`{first}` has them too, and both step in each round: they are moved twice"
        yield code.hit(made, f"`{code.text_of(made.args[0])}`: {says}")
