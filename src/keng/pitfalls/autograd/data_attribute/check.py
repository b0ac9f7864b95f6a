"""Source code: a tensor is changed behind autograd's back, through `.data`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from keng.model import Edit, Fix, Hits, say
from keng.pitfalls.autograd._shared import through_layer
from keng.rules import finds
from keng.source import Code, Grad
from keng.tables.torch_names import TENSOR_METHODS


@finds(fixes=True, mentions=["data"])
def written_behind_the_graph(code: Code) -> Hits:
    for node, tensor in _data_overwritten(code):
        if _has_graph(code, tensor) and code.modes.grad_at(node) is Grad.ON:
            name = code.text_of(tensor)
            says = say("backward-does-not-notice", name=name)
            edit = _out_of_place(code, node, tensor)
            fix = Fix(say("make-new-tensor-graph"), (edit,)) if edit else None
            yield code.hit(node, says, fix=fix)


def _data_overwritten(code: Code) -> Iterator[tuple[ast.AST, ast.expr]]:
    """What writes into `x.data`, and x."""
    for data in code.tree.attributes_by_name.get("data", ()):
        around = code.tree.parent[data]
        node = around if isinstance(around, ast.AugAssign) else code.tree.parent[around]
        match node:
            case ast.Call(func=ast.Attribute(attr=name) as method) if method is around:
                if name.endswith("_") and not name.endswith("__"):
                    yield node, data.value
            case (
                ast.Assign(targets=[ast.Subscript(value=written)])
                | ast.AugAssign(target=ast.Subscript(value=written))
                | ast.AugAssign(target=ast.Attribute() as written)
            ) if written is data:
                yield node, data.value


def _out_of_place(code: Code, node: ast.AST, tensor: ast.expr) -> Edit | None:
    """`x.data.clamp_(...)`, a statement, as `x = x.clamp(...)`; None where there is no such method."""
    match node:
        case ast.Call(func=ast.Attribute(attr=method)) if isinstance(tensor, ast.Name):
            plain = method.removesuffix("_")
            if plain in TENSOR_METHODS and isinstance(code.tree.parent[node], ast.Expr):
                given = code.tree.data[
                    code.tree.bounds(node.func)[1] : code.tree.bounds(node)[1]
                ].decode()
                return code.edits.replace(node, f"{tensor.id} = {tensor.id}.{plain}{given}")
    return None


def _has_graph(code: Code, tensor: ast.expr) -> bool:
    """Whether a name is known to hold what was computed from something that learns."""
    if not isinstance(tensor, ast.Name):
        return False
    found = code.flow.reaching_definitions(tensor)
    values = [b.value for b in found if b.how == "assign" and not b.path]
    return len(values) == len(found) > 0 and all(v and through_layer(code, v) for v in values)
