"""Source code: a straight-through estimator cuts nothing, and its gradient is that of the step."""

from __future__ import annotations

from keng.model import Fix, Hits
from keng.rules import finds
from keng.source import Code


@finds(fixes=True)
def cancels_itself(code: Code) -> Hits:
    for whole, value, step in code.straight_through_with_graph():
        x, q = code.text_of(value), code.text_of(step)
        says = f"`{x}` is added and taken away with its graph: what is left is `{q}`, with its slope alone"
        text = f"{x} + ({code.operand(step)} - {x}).detach()"
        yield code.hit(whole, says, Fix("Cut the difference", (code.replace(whole, text),)))
