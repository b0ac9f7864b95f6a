"""Source code: a prediction is squeezed of all dimensions of one before it meets its target."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import partial

from keng.model import Edit, Fix, Hits, say
from keng.rules import finds
from keng.source import Act, Code, Kind
from keng.source.dimensions import ONE, RECURRENT
from keng.source.tree import names_in

VMAPS = ("torch.func.vmap", "torch.vmap", "functorch.vmap")


@finds(fixes=True, mentions=["squeeze"])
def squeezed_on_one_side(code: Code) -> Hits:
    seen = set[ast.Call]()
    for call, given, squeeze in _squeezed_for_a_loss(code):
        if squeeze in seen:
            continue  # another loss of the same tensor
        seen.add(squeeze)
        fix = Fix(say("squeeze-last-dimension-only"), (_with_dim(code, squeeze),))
        says = say("loses-batch-too-where", name=code.text_of(given))
        yield code.hit(call, says, fix=fix)


@finds(fixes=True, mentions=["squeeze"])
def state_squeezed(code: Code) -> Hits:
    """The state of an RNN is (1, batch, width)."""
    for call in code.calls.method_calls("squeeze"):
        given = code.tree.receiver(call)
        if call.args or call.keywords or not code.graph.in_forward(call):
            continue
        if _is_state(code, given):
            end = code.tree.bounds(call)[1] - 1
            fix = Fix(say("squeeze-first-dimension-only"), (Edit(end, end, "0"),))
            yield code.hit(call, say("loses-batch-too-where", name=code.text_of(given)), fix=fix)


@finds(fixes=True, mentions=["squeeze"])
def squeezed_beside(code: Code) -> Hits:
    """`masks += [mask.squeeze(1)]` and then `gates += [gate.squeeze()]`: the second loses a batch of one too."""
    for call in code.calls.method_calls("squeeze"):
        if call.args or call.keywords:
            continue
        statement = code.statement(call)
        near = _neighbours(code, statement)
        beside = [n for each in near for n in _squeezes_of_dimension(code, each)]
        if beside and isinstance(code.tree.receiver(call), ast.Name):
            dim = code.text_of(beside[0].args[0])
            end = code.tree.bounds(call)[1] - 1
            fix = Fix(say("squeeze-same-dimension", dim=dim), (Edit(end, end, dim),))
            says = say("beside-one-dimension", name=code.text_of(code.tree.receiver(call)), dim=dim)
            yield code.hit(call, says, fix=fix)


def _neighbours(code: Code, statement: ast.stmt) -> list[ast.stmt]:
    """The two statements before and after one that are of its kind."""
    before, behind = code.flow.siblings(statement, code.tree.parent[statement])
    near = [*before[-2:], *behind[:2]]
    plain = (ast.AugAssign, ast.Assign, ast.Expr)
    return [n for n in near if type(n) is type(statement) and isinstance(n, plain)]


def _squeezes_of_dimension(code: Code, statement: ast.stmt) -> list[ast.Call]:
    """The calls `x.squeeze(1)` of a statement."""
    return [
        call
        for call in code.below(statement, ast.Call)
        if isinstance(call.func, ast.Attribute)
        and call.func.attr == "squeeze"
        and len(call.args) == 1
        and isinstance(call.args[0], (ast.Constant, ast.UnaryOp))
    ]


def _is_state(code: Code, node: ast.expr) -> bool:
    """Whether a value is what an RNN of one layer and direction gives as its state."""
    found = code.flow.reaching_definitions(node) if isinstance(node, ast.Name) else []
    made = found[0].value if len(found) == 1 and found[0].path else None
    layer = code.types.value_of(made.func).dotted if isinstance(made, ast.Call) else ""
    shape = code.dimensions.shape(node) if layer in RECURRENT else None
    return shape is not None and len(shape.sizes) == 3 and shape.sizes[0] == ONE


def _squeezed_for_a_loss(code: Code) -> Iterator[tuple[ast.Call, ast.expr, ast.Call]]:
    """Losses one side of which was squeezed of all its dimensions of one: the call, that side as it
    is given, and the squeeze."""
    squeezes = [*code.calls.method_calls("squeeze"), *code.calls.calls_to("torch.squeeze")]
    for call in code.of(ast.Call) if squeezes else ():
        if len(call.args) < 2:
            continue
        sides = [_bare_squeeze(code, side) for side in call.args[:2]]
        if sides == [None, None] or code.loops.act_of(call) is not Act.LOSS:
            continue
        if any(map(partial(_one_of_many, code), call.args[:2])) or _mapped(code, call):
            continue
        for given, squeeze, other in zip(call.args, sides, reversed(sides), strict=False):
            if squeeze is not None and other is None and not _made_alike(code, call, given):
                yield call, given, squeeze


def _made_alike(code: Code, call: ast.Call, given: ast.expr) -> bool:
    """Whether the other side is made in the form of the squeezed one: `bce(x, torch.ones_like(x))`."""
    alike = [value for side in call.args[:2] if (value := code.flow.call_behind(side)) is not None]
    return any(
        code.names.resolve(made.func).endswith("_like")
        and code.text_of(given) in map(code.text_of, made.args)
        for made in alike
    )


def _mapped(code: Code, call: ast.Call) -> bool:
    """Whether `vmap` runs the function around a call: there a tensor is one sample."""
    function = code.tree.enclosing_function(call)
    if function is None:
        return False
    given = [names_in(vmap) for vmap in code.calls.calls_to(*VMAPS)]
    return any(function.name in names for names in given) or any(
        code.names.resolve(getattr(d, "func", d)) in VMAPS for d in function.decorator_list
    )


def _one_of_many(code: Code, node: ast.expr) -> bool:
    """Whether a value is one row of a tensor that a loop goes through, not a batch of them."""
    for binding in code.flow.reaching_definitions(node) if isinstance(node, ast.Name) else ():
        rows = binding.value if binding.how == "for" else None
        if isinstance(rows, ast.Call) and code.names.resolve(rows.func) == "builtins.zip":
            rows = rows.args[binding.path[0]] if binding.path else None
        if rows is not None and code.types.kind_of(rows) is Kind.TENSOR:
            return True
    return False


def _bare_squeeze(code: Code, node: ast.expr) -> ast.Call | None:
    if isinstance(node, ast.Name):
        value = code.flow.assigned_value(node)
        return _bare_squeeze(code, value) if isinstance(value, ast.Call) else None
    if not isinstance(node, ast.Call) or node.keywords:
        return None
    if code.names.resolve(node.func) == "torch.squeeze":
        return node if len(node.args) == 1 else None
    bare = isinstance(node.func, ast.Attribute) and node.func.attr == "squeeze"
    return node if bare and not node.args else None


def _with_dim(code: Code, squeeze: ast.Call) -> Edit:
    """The last dimension as an argument of a bare squeeze."""
    end = code.tree.bounds(squeeze)[1] - 1
    return Edit(end, end, ", -1" if squeeze.args else "-1")
