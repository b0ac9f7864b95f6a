"""Source code: a total that a loop adds to is reduced over the ranks in each round."""

from __future__ import annotations

import ast

from keng.model import Hits, say
from keng.rules import finds
from keng.source import Code

SETS_ANEW = {"zero_", "fill_", "copy_", "div_"}


@finds(mentions=["all_reduce"])
def reduced_in_each_round(code: Code) -> Hits:
    for call in code.calls.calls_to("torch.distributed.all_reduce"):
        total = code.calls.argument(call, "tensor", 0)
        loop = code.tree.enclosing(call, ast.For, ast.While) if total is not None else None
        if loop is None or not isinstance(total, ast.Name) or _other_operation(code, call):
            continue
        grows = any(_grows(each, total.id) for each in code.below(loop, ast.AugAssign))
        if grows and not any(_sets(code, each, total.id) for each in ast.walk(loop)):
            yield code.hit(call, say("reduced-again", name=total.id))


def _other_operation(code: Code, call: ast.Call) -> bool:
    """Whether it is no sum."""
    op = code.calls.argument(call, "op", 1)
    return op is not None and "SUM" not in ast.unparse(op)


def _grows(node: ast.AugAssign, name: str) -> bool:
    return isinstance(node.op, ast.Add) and getattr(node.target, "id", "") == name


def _sets(code: Code, node: ast.AST, name: str) -> bool:
    """Whether it gives the total another value in the loop."""
    match node:
        case ast.Name(id=found, ctx=ast.Store()):
            return found == name and not isinstance(next(code.tree.ancestors(node)), ast.AugAssign)
        case ast.AugAssign(target=ast.Name(id=found), op=ast.Div() | ast.Mult() | ast.FloorDiv()):
            return found == name
        case ast.Call(func=ast.Attribute(value=ast.Name(id=found), attr=method)):
            return found == name and method in SETS_ANEW
    return False
