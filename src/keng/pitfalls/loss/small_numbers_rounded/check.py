"""Source code: a small number is added to 1 before a logarithm, or 1 is taken from an exponential."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from keng.model import Fix, Hits, say
from keng.pitfalls.loss._shared import logarithms
from keng.rules import finds
from keng.source import Code

COUNTS_OR_GROWS = frozenset(
    {"arange", "exp", "bincount", "count_nonzero", "floor", "ceil", "round", "trunc"}
)


@finds(fixes=True)
def near_one(code: Code) -> Hits:
    for node, better, small in _rounded_near_one(code):
        name = code.edits.qualified_name(f"torch.{better}", node)
        text = f"{name}({code.text_of(small)})"
        fix = (
            Fix(say("use-function", function=better), (code.edits.replace(node, text),), "safe")
            if name
            else None
        )
        yield code.hit(node, say("keeps-digits-rounds-away", function=better), fix=fix)


def _rounded_near_one(code: Code) -> Iterator[tuple[ast.expr, str, ast.expr]]:
    """`log(1 + x)` and `exp(x) - 1` of tensors, the function that keeps a small `x`, and `x`; what
    counts things, and what grows (softplus by hand), is left out."""
    for call, given in logarithms(code):
        match given:
            case (
                ast.BinOp(left=ast.Constant(value=1), op=ast.Add(), right=small)
                | ast.BinOp(left=small, op=ast.Add(), right=ast.Constant(value=1))
            ) if code.types.value_of(small).dotted.rpartition(".")[2] not in COUNTS_OR_GROWS:
                yield call, "log1p", small
    for difference in code.of(ast.BinOp):
        match difference:
            case ast.BinOp(
                left=ast.Call(args=[small]) as power, op=ast.Sub(), right=ast.Constant(value=1)
            ) if code.names.resolve(power.func) == "torch.exp":
                yield difference, "expm1", small
