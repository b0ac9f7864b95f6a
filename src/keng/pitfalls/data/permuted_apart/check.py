"""Source code: inputs and their labels are put in two different random orders."""

from __future__ import annotations

from keng.model import Hits
from keng.rules import finds
from keng.source import Code


@finds
def another_order(code: Code) -> Hits:
    for place, labels, others in code.permuted_apart():
        says = f"`{labels}` and `{others}` are put in two random orders, drawn apart: one for both"
        yield code.hit(place, says)
