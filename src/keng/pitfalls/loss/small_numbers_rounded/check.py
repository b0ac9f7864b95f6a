"""Source code: a small number is added to 1 before a logarithm, or 1 is taken from an exponential."""

from __future__ import annotations

from keng.model import Fix, Hits
from keng.rules import finds
from keng.source import Code


@finds(fixes=True)
def near_one(code: Code) -> Hits:
    for node, better, small in code.rounded_near_one():
        name = code.spell(f"torch.{better}", node)
        text = f"{name}({code.text_of(small)})"
        fix = Fix(f"Use {better}", (code.replace(node, text),), "safe") if name else None
        yield code.hit(node, f"{better} keeps the digits that this rounds away", fix=fix)
