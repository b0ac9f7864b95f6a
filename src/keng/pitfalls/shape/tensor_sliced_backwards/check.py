"""Source code: a tensor is sliced backwards."""

from __future__ import annotations

import ast

from keng.model import Fix, Hits
from keng.rules import finds
from keng.source import Code


@finds(fixes=True)
def negative_step(code: Code) -> Hits:
    for item, dimension in code.sliced_backwards():
        if code.probed(item):
            continue
        name, fix = code.text_of(item.value), None
        if dimension is not None and isinstance(item.ctx, ast.Load):
            flipped = f"{code.operand(item.value)}.flip({dimension})"
            fix = Fix("Flip it", (code.replace(item, flipped),), "safe")
        yield code.hit(item, f"`{name}` is a tensor, which takes no negative step", fix=fix)
