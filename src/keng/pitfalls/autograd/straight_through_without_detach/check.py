"""Source code: a straight-through estimator cuts nothing, and its gradient is that of the step."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from keng.model import Fix, Hits, say
from keng.pitfalls.autograd._shared import FUNCTION, graph_ends
from keng.rules import finds
from keng.source import Code, Grad, Kind

ROUNDED = frozenset("round sign sgn floor ceil trunc".split())
"""Functions and methods that leave no slope, whatever is done to a scale of theirs."""
CHOSEN = frozenset("argmax argmin one_hot eq gt lt ge le heaviside bernoulli".split())
KEEPS_STEPS = frozenset(
    "to float double half long int bool type type_as clamp clip clamp_ view reshape squeeze unsqueeze".split()
)
FILLED = frozenset("zeros_like ones_like zeros ones full_like".split())


@finds(fixes=True)
def cancels_itself(code: Code) -> Hits:
    for whole, value, step in _straight_through_with_graph(code):
        x, q = code.text_of(value), code.text_of(step)
        says = say("added-taken-away-graph", q=x, q_2=q)
        text = f"{x} + ({code.edits.parenthesized(step)} - {x}).detach()"
        yield code.hit(whole, says, Fix(say("cut-difference"), (code.edits.replace(whole, text),)))


def _straight_through_with_graph(code: Code) -> Iterator[tuple[ast.BinOp, ast.expr, ast.expr]]:
    """Sums in which a value is added and taken away again, both with their graphs, around what is a step:
    the sum, that value, and the rest."""
    for whole in code.of(ast.BinOp):
        if not _adds(whole) or _adds(code.tree.parent[whole]):
            continue
        signed = list(_signed_terms(whole))
        if len(signed) != 3:
            continue
        for value, plus in signed:
            if not plus or not isinstance(value, (ast.Name, ast.Attribute)):
                continue
            rest = [t for t, sign in signed if sign and ast.unparse(t) != ast.unparse(value)]
            if len(rest) != 1 or not _is_flat(code, rest[0]):
                continue
            if _is_recorded_value(code, value, signed) and _records(code, whole):
                yield whole, value, rest[0]


def _is_recorded_value(
    code: Code, value: ast.Name | ast.Attribute, signed: list[tuple[ast.expr, bool]]
) -> bool:
    """Whether a name or attribute is taken away once, as it was added, and leads to no end of a graph."""
    same = [t for t, sign in signed if not sign and ast.unparse(t) == ast.unparse(value)]
    alike = isinstance(value, ast.Attribute) or (
        len(same) == 1 and isinstance(same[0], ast.Name) and code.graph.same_value(value, same[0])
    )
    return len(same) == 1 and alike and not graph_ends(code, value)


def _records(code: Code, node: ast.expr) -> bool:
    owner = code.tree.enclosing_class(node)
    by_hand = owner is not None and any(code.names.resolve(b) == FUNCTION for b in owner.bases)
    return not by_hand and code.modes.grad_at(node) is not Grad.OFF


def _is_flat(code: Code, node: ast.expr | None, depth: int = 8) -> bool:
    """Whether a value is known to have no slope in what it was rounded or chosen from."""
    match node:
        case ast.Compare():
            return True
        case ast.Name() if depth:
            return _is_flat(code, code.flow.assigned_value(node), depth - 1)
        case ast.UnaryOp(operand=inner):
            return _is_flat(code, inner, depth)
        case ast.BinOp(left=left, right=right):
            return _is_scaled(code, left, right, depth) or _is_scaled(code, right, left, depth)
        case ast.Subscript(slice=places):
            return _was_chosen(code, places)
        case ast.Call():
            return _gives_flat(code, node, depth)
    return False


def _is_scaled(code: Code, step: ast.expr, by: ast.expr, depth: int) -> bool:
    """Whether one side of an operation has no slope, and the other is a scale of it or a shift."""
    if not _is_flat(code, step, depth):
        return False
    plain = code.types.kind_of(by) is Kind.NUMBER or _is_flat(code, by, depth)
    names = isinstance(by, (ast.Name, ast.Attribute))
    return plain or (names and _was_rounded(code, step, depth))


def _was_rounded(code: Code, node: ast.expr | None, depth: int) -> bool:
    if isinstance(node, ast.Name) and depth:
        return _was_rounded(code, code.flow.assigned_value(node), depth - 1)
    calls = [n for n in ast.walk(node) if isinstance(n, ast.Call)] if node is not None else []
    return any(code.calls.attribute_name(call.func) in ROUNDED for call in calls)


def _gives_flat(code: Code, call: ast.Call, depth: int) -> bool:
    name, told = code.calls.attribute_name(call.func), code.types.resolve_function(call)
    if told is not None:
        given = told.tree.returns(told.node)
        tree = told.tree
        return bool(depth and given) and all(_is_flat(code.at(tree), g, depth - 1) for g in given)
    if name in ROUNDED | CHOSEN:
        return True
    method = isinstance(call.func, ast.Attribute) and not code.names.resolve(call.func)
    first = code.tree.receiver(call) if method else next(iter(call.args), None)
    if name in KEEPS_STEPS:
        return _is_flat(code, first, depth)
    if name == "where" and len(call.args) == 3:
        return all(_is_level(code, each) or _is_flat(code, each, depth) for each in call.args[1:])
    if name in ("scatter", "scatter_") and call.args:
        return first is not None and _is_level(code, first) and _is_level(code, call.args[-1])
    return False


def _is_level(code: Code, node: ast.expr) -> bool:
    """Whether a value is one number throughout."""
    filled = isinstance(node, ast.Call) and code.calls.attribute_name(node.func) in FILLED
    return filled or code.types.kind_of(node) is Kind.NUMBER


def _was_chosen(code: Code, places: ast.expr) -> bool:
    """Whether an index is that of the nearest or the largest."""
    made = code.flow.assigned_value(places) or places
    return isinstance(made, ast.Call) and code.calls.attribute_name(made.func) in (
        "argmin",
        "argmax",
    )


def _adds(node: ast.AST) -> bool:
    return isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub))


def _signed_terms(node: ast.expr, plus: bool = True) -> Iterator[tuple[ast.expr, bool]]:
    """The terms of a sum, and whether they are added or taken away."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)):
        yield from _signed_terms(node.left, plus)
        yield from _signed_terms(node.right, plus is isinstance(node.op, ast.Add))
    else:
        yield node, plus
