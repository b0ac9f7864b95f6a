"""Source code: a padding mask is put on the axis of the queries, so that padded keys take part."""

from __future__ import annotations

import ast

from keng.model import Hits, say
from keng.pitfalls.loss._shared import hugely_negative
from keng.rules import finds
from keng.source import Code

TRIANGLES = frozenset({"tril", "triu", "tril_", "triu_"})


@finds(mentions=["unsqueeze"])
def joined_with_causal_mask(code: Code) -> Hits:
    for both in code.of(ast.BinOp):
        if not isinstance(both.op, (ast.BitAnd, ast.Mult)):
            continue
        for mask, other in ((both.left, both.right), (both.right, both.left)):
            if _on_queries(code, mask) and _is_triangle(code, other):
                yield code.hit(both, say("on-queries", mask=code.text_of(mask)))


@finds(mentions=["masked_fill", "masked_fill_"])
def hides_queries(code: Code) -> Hits:
    for call in code.calls.method_calls("masked_fill", "masked_fill_"):
        hides = len(call.args) == 2 and hugely_negative(code, call.args[1])
        if hides and _on_queries(code, _compared(call.args[0])):
            yield code.hit(call, say("on-queries", mask=code.text_of(call.args[0])))


def _compared(node: ast.expr) -> ast.expr:
    """The mask of `mask == 0` or `~mask`."""
    match node:
        case ast.Compare(left=inner) | ast.UnaryOp(op=ast.Invert(), operand=inner):
            return inner
    return node


def _on_queries(code: Code, node: ast.expr) -> bool:
    """Whether a value is (batch, 1, length, 1), of a comparison of tokens with what fills them up."""
    value = code.flow.assigned_value(node) or node
    match value:
        case ast.Call(
            func=ast.Attribute(
                attr="unsqueeze",
                value=ast.Call(
                    func=ast.Attribute(attr="unsqueeze", value=inner),
                    args=[ast.Constant(value=first)],
                ),
            ),
            args=[ast.Constant(value=second)],
        ):
            return (first, second) in ((1, 3), (2, 1)) and _compares_with_pad(code, inner)
    return False


def _compares_with_pad(code: Code, node: ast.expr) -> bool:
    value = code.flow.assigned_value(node) or node
    match value:
        case ast.Compare(ops=[ast.NotEq() | ast.Eq()], comparators=[right]):
            return "pad" in ast.unparse(right).lower()
        case ast.Call(func=ast.Attribute(attr="ne" | "eq"), args=[right]):
            return "pad" in ast.unparse(right).lower()
    return False


def _is_triangle(code: Code, node: ast.expr) -> bool:
    """Whether a mask is one of the future: made by `tril` or `triu`."""
    value = code.flow.assigned_value(node) or node
    return any(
        code.calls.attribute_name(call.func) in TRIANGLES
        for call in ast.walk(value)
        if isinstance(call, ast.Call)
    )
