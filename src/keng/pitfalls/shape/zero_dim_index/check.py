"""Source code: a tensor without dimensions is indexed."""

from __future__ import annotations

import ast

from keng.model import Fix, Hits, say
from keng.rules import finds
from keng.source import Code


@finds(fixes=True)
def index_into_a_number(code: Code) -> Hits:
    for item in code.of(ast.Subscript):
        if not isinstance(item.slice, ast.Constant) or item.slice.value != 0:
            continue
        base = item.value
        if isinstance(base, ast.Attribute) and base.attr == "shape":
            continue
        if isinstance(base, ast.Attribute) and base.attr == "data":
            base = base.value
        if not code.graph.is_scalar(base) or code.modes.in_try_or_raises(item):
            continue
        name = code.text_of(base)
        read = Fix(
            say("read-number"),
            (code.edits.replace(item, f"{code.edits.parenthesized(base)}.item()"),),
            "safe",
        )
        fix = read if isinstance(item.ctx, ast.Load) else None
        yield code.hit(item, say("has-no-dimensions-index", name=name), fix=fix)
