"""Source code: the result of a custom autograd function is dropped, and its backward never runs."""

from __future__ import annotations

import ast

from keng.model import Hits, say
from keng.pitfalls.autograd._shared import FUNCTION
from keng.rules import finds
from keng.source import Code


@finds(mentions=["torch.autograd.Function"])
def applied_for_nothing(code: Code) -> Hits:
    """What changes its argument in place says so by `mark_dirty`."""
    for statement in code.of(ast.Expr):
        call = statement.value
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
            continue
        owner = code.classes.named(call.func.value) if call.func.attr == "apply" else None
        if owner is None or not isinstance(owner.node, ast.ClassDef) or len(call.args) < 2:
            continue
        bases = map(code.at(owner.tree).names.resolve, owner.node.bases)
        continues = _is_used_after(code, statement, call.args[0])
        if FUNCTION in bases and continues and not _writes(owner.node):
            yield code.hit(call, say("result-of-apply-dropped", function=code.text_of(call.func)))


def _is_used_after(code: Code, statement: ast.Expr, given: ast.expr) -> bool:
    """Whether the function continues with the tensor as it was."""
    function = code.tree.enclosing_function(statement)
    return function is not None and any(
        isinstance(given, ast.Name) and name.id == given.id and name.lineno > statement.lineno
        for name in code.below(function, ast.Name)
    )


def _writes(owner: ast.ClassDef) -> bool:
    """Whether its methods change what they are given, or do something else that is meant: `mark_dirty`, a
    method whose name ends in `_`, an assignment to a part of a tensor, a call of a collective."""
    for node in ast.walk(owner):
        match node:
            case ast.Call(func=ast.Attribute(attr=name)):
                if name == "mark_dirty" or (name.endswith("_") and not name.startswith("_")):
                    return True
            case ast.Subscript(ctx=ast.Store()) | ast.AugAssign():
                return True
    return False
