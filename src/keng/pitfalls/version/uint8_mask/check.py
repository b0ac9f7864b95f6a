"""Source code: a mask is made of bytes instead of booleans."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from keng.model import Fix, Hits, say
from keng.rules import finds
from keng.source import Code, Kind


@finds(fixes=True, mentions=["byte", "torch.uint8", "torch.ByteTensor"])
def indexed_with_bytes(code: Code) -> Hits:
    for node, mask, made in _byte_masks(code):
        fix = None
        if isinstance(made.func, ast.Attribute) and made.func.attr == "byte":
            minus = [
                code.edits.replace(node, f"~{name}") for node, name in _taken_from_one(code, mask)
            ]
            edits = (code.edits.rename_attribute(made.func, "bool"), *minus)
            fix = Fix(say("make-mask-boolean"), edits)
        yield code.hit(node, say("mask-of-bytes", mask=code.text_of(mask)), fix=fix)


def _byte_masks(code: Code) -> Iterator[tuple[ast.Subscript, ast.expr, ast.Call]]:
    """Tensors that are indexed with a mask of bytes, or with its inverse: the index, the mask, and
    the `.byte()` or ByteTensor that made it; the first use of each."""
    seen: set[ast.Call] = set()
    for node in code.of(ast.Subscript):
        mask = node.slice.operand if isinstance(node.slice, ast.UnaryOp) else node.slice
        made = _bytes_made_by(code, mask)
        if made is None or made in seen:
            continue
        if code.types.kind_of(node.value) in (Kind.TENSOR, Kind.UNKNOWN):
            seen.add(made)
            yield node, mask, made


def _taken_from_one(code: Code, mask: ast.expr) -> Iterator[tuple[ast.BinOp, str]]:
    """Where the same mask is inverted as `1 - mask`, and its name there."""
    ways = (
        [b.value for b in code.flow.reaching_definitions(mask)]
        if isinstance(mask, ast.Name)
        else []
    )
    for node in code.of(ast.BinOp):
        match node:
            case ast.BinOp(ast.Constant(1), ast.Sub(), ast.Name() as name):
                if ways and [b.value for b in code.flow.reaching_definitions(name)] == ways:
                    yield node, name.id


def _bytes_made_by(code: Code, mask: ast.expr) -> ast.Call | None:
    ways: list[ast.AST | None] = [mask]
    if isinstance(mask, ast.Name):
        ways = [b.value if not b.path else None for b in code.flow.reaching_definitions(mask)]
    only = ways[0] if len(ways) == 1 else None
    match only:
        case ast.Call(func=ast.Attribute(attr="fill_" | "zero_", value=filled)):
            only = filled
    if not isinstance(only, ast.Call):
        return None
    method = isinstance(only.func, ast.Attribute) and only.func.attr == "byte"
    if method and isinstance(only.func, ast.Attribute):
        compared = isinstance(only.func.value, ast.Compare)
        return only if compared or code.types.kind_of(only.func.value) is Kind.TENSOR else None
    named = [k.value for k in only.keywords if k.arg == "dtype"]
    if isinstance(only.func, ast.Attribute) and only.func.attr in ("to", "type"):
        named += only.args
    bytes_ = any(code.names.resolve(each) == "torch.uint8" for each in named)
    made = code.names.resolve(only.func) == "torch.ByteTensor" or bytes_
    return only if made and not code.names.resolve(only.func).startswith("numpy.") else None
