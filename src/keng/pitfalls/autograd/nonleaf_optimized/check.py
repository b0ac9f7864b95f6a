"""Source code: an optimizer is given the result of an operation."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from keng.model import Fix, Hits, say
from keng.pitfalls.autograd._shared import computed_from_leaf
from keng.rules import finds
from keng.source import Code, Grad


@finds(fixes=True)
def computed_from_a_leaf(code: Code) -> Hits:
    for name, value in _optimized_values(code):
        if not computed_from_leaf(code, value) or code.modes.grad_at(value) is not Grad.ON:
            continue
        edit = code.edits.append(value, ".detach().requires_grad_()")
        says = say("computed-from-tensor-gathers", name=name.id)
        yield code.hit(value, says, fix=Fix(say("make-leaf-own", name=name.id), (edit,), "safe"))


def _optimized_values(code: Code) -> Iterator[tuple[ast.Name, ast.expr]]:
    """The names in a list of parameters that an optimizer is made for, and what they were set to
    where that is one thing."""
    for listed in code.of(ast.List):
        names = [item for item in listed.elts if isinstance(item, ast.Name)]
        if not names or not _is_optimized(code, listed):
            continue
        for name in names:
            if (value := code.flow.assigned_value(name)) is not None:
                yield name, value


def _is_optimized(code: Code, node: ast.expr) -> bool:
    """Whether an expression stands in the first argument that an optimizer is made with."""
    child: ast.AST = node
    for above in code.tree.ancestors(node):
        if isinstance(above, ast.Call) and above.args[:1] == [child]:
            if code.names.resolve(above.func).startswith("torch.optim."):
                return True
        elif isinstance(above, ast.stmt):
            return False
        child = above
    return False
