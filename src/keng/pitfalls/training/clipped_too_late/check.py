"""Source code: gradients are clipped after the step that used them."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import finds
from keng.source import Code


@finds
def clipped_between_rounds(code: Code) -> Hits:
    for call, cleared in code.clipped_between_rounds():
        gone = "were just cleared" if cleared else "the step has already used"
        yield code.hit(call, f"clips gradients that {gone}")
