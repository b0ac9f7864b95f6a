"""Source code: a mask is made of bytes instead of booleans."""

from __future__ import annotations

import ast

from keng.model import Fix, Hits
from keng.rules import finds
from keng.source import Code


@finds(fixes=True)
def indexed_with_bytes(code: Code) -> Hits:
    for node, mask, made in code.byte_masks():
        fix = None
        if isinstance(made.func, ast.Attribute) and made.func.attr == "byte":
            minus = [code.replace(node, f"~{name}") for node, name in code.taken_from_one(mask)]
            edits = (code.rename_attribute(made.func, "bool"), *minus)
            fix = Fix("Make the mask boolean", edits)
        yield code.hit(node, f"`{code.text_of(mask)}` holds bytes; a mask is boolean", fix=fix)
