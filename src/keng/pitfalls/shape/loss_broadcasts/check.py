"""Source code: the arms of an `if` leave a value with different numbers of dimensions."""

from __future__ import annotations

import ast

from keng.model import Hits, say
from keng.rules import finds
from keng.source import Code

REDUCES = frozenset({"max", "min", "median", "mode"})
REDUCES_ONE = frozenset(
    {"amax", "amin", "argmax", "argmin", "mean", "sum", "prod", "norm", "std", "var"}
)
KEEPS = frozenset(
    "gather clamp clip exp log relu sigmoid tanh detach clone float double half to cpu cuda contiguous abs sqrt neg"
    " softmax log_softmax cumsum masked_fill where".split()
)


@finds(mentions=["unsqueeze", "gather", "max", "mean", "sum"])
def arms_differ_by_a_dimension(code: Code) -> Hits:
    """`q = q.gather(1, a[:, None])` in one arm and `q = q.max(1)[0]` in the other: (B, 1) against (B,)."""
    for choice in code.of(ast.If):
        for name, one, other in _set_in_both(choice):
            first, second = _steps(one), _steps(other)
            if first is None or second is None or first[0] != second[0]:
                continue
            longer = one if first[1] > second[1] else other
            if first[1] != second[1] and _chooses(longer):
                line = code.tree.line_of(one)
                yield code.hit(other, say("arms-differ", name=name, line=line))


def _chooses(value: ast.expr) -> bool:
    """Whether a value is `gather(dim, index.unsqueeze(dim))`, one element of each row that keeps the dimension."""
    match value:
        case ast.Call(func=ast.Attribute(attr="gather"), args=[_, index]):
            widened = [n.attr for n in ast.walk(index) if isinstance(n, ast.Attribute)]
            return "unsqueeze" in widened or isinstance(index, ast.Subscript)
    return False


def _set_in_both(choice: ast.If) -> list[tuple[str, ast.expr, ast.expr]]:
    """The names that the last statement of each arm sets, and their values."""
    match choice.body[-1:], choice.orelse[-1:]:
        case (
            [ast.Assign(targets=[ast.Name(id=name)], value=one)],
            [ast.Assign(targets=[ast.Name(id=same)], value=other)],
        ) if name == same:
            return [(name, one, other)]
    return []


def _steps(value: ast.expr) -> tuple[str, int] | None:
    """The name that a value is made from by methods, and how many dimensions it has more; None where
    that is not known."""
    match value:
        case ast.Name(id=name):
            return name, 0
        case ast.Subscript(
            value=ast.Call(func=ast.Attribute(attr=method)) as call, slice=ast.Constant(value=0)
        ):
            return _after(call, -1) if method in REDUCES and _one_axis(call) else None
        case ast.Attribute(value=ast.Call(func=ast.Attribute(attr=method)) as call, attr="values"):
            return _after(call, -1) if method in REDUCES and _one_axis(call) else None
        case ast.Call(func=ast.Attribute(attr="unsqueeze")):
            return _after(value, 1)
        case ast.Call(func=ast.Attribute(attr="squeeze")) if _one_axis(value):
            return _after(value, -1)
        case ast.Call(func=ast.Attribute(attr=method)) if method in KEEPS:
            return _after(value, 0)
        case ast.Call(func=ast.Attribute(attr=method)) if method in REDUCES_ONE and _one_axis(
            value
        ):
            return _after(value, -1)
    return None


def _one_axis(call: ast.Call) -> bool:
    """Whether a reduction gets one dimension and does not keep it."""
    given = [*call.args[:1], *(k.value for k in call.keywords if k.arg in ("dim", "axis"))]
    kept = any(k.arg not in ("dim", "axis") for k in call.keywords) or len(call.args) > 1
    plain = [g.operand if isinstance(g, ast.UnaryOp) else g for g in given]
    return not kept and [type(g) for g in plain] == [ast.Constant]


def _after(call: ast.Call, change: int) -> tuple[str, int] | None:
    before = _steps(call.func.value) if isinstance(call.func, ast.Attribute) else None
    return (before[0], before[1] + change) if before is not None else None
