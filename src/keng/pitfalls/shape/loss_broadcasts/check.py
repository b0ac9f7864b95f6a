"""Source code: a value has one dimension more than the other that it meets, or than in another branch."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from keng.model import Hits, say
from keng.rules import finds
from keng.source import Code
from keng.source.flow import integer

LOSSES = (
    *("torch.nn.MSELoss", "torch.nn.SmoothL1Loss", "torch.nn.L1Loss", "torch.nn.HuberLoss"),
    *(
        f"torch.nn.functional.{name}"
        for name in ("mse_loss", "smooth_l1_loss", "l1_loss", "huber_loss")
    ),
)
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


@finds(mentions=["gather"])
def column_against_row(code: Code) -> Hits:
    """`mse_loss(q.gather(1, a.unsqueeze(1)), r + gamma * target.max(1)[0])`: (B, 1) against (B,)."""
    for node, one, other in _compared(code):
        for column, row in ((one, other), (other, one)):
            if _is_column(code, column) and _is_row(code, row):
                says = say("column-row", column=code.text_of(column), row=code.text_of(row))
                yield code.hit(node, says)


def _compared(code: Code) -> Iterator[tuple[ast.expr, ast.expr, ast.expr]]:
    """Pairs of values of which a loss is made, or a difference."""
    for call in code.graph.loss_calls(*LOSSES):
        one, other = code.calls.argument(call, "input", 0), code.calls.argument(call, "target", 1)
        if one is not None and other is not None:
            yield call, one, other
    for both in code.of(ast.BinOp):
        if isinstance(both.op, ast.Sub):
            yield both, both.left, both.right


def _is_column(code: Code, node: ast.expr, depth: int = 6) -> bool:
    """Whether a value is (B, 1): chosen by `gather` with an index that got a dimension for it."""
    match node:
        case ast.Name() if depth:
            value = code.flow.assigned_value(node)
            return value is not None and _is_column(code, value, depth - 1)
        case ast.Call(
            func=ast.Attribute(attr="gather"), args=[ast.Constant(value=1), index], keywords=[]
        ):
            return _is_widened(code, index)
        case ast.Call(func=ast.Attribute(attr=method, value=inner)) if method in KEEPS:
            return method != "gather" and _is_column(code, inner, depth)
    return False


def _is_widened(code: Code, index: ast.expr) -> bool:
    """Whether an index is `a.unsqueeze(1)`, `a[:, None]` or `a.view(-1, 1)`, converted perhaps."""
    match code.flow.assigned_value(index) or index:
        case ast.Call(func=ast.Attribute(attr="unsqueeze"), args=[at]):
            return integer(at) in (1, -1)
        case ast.Call(func=ast.Attribute(attr="view" | "reshape"), args=[_, ast.Constant(value=1)]):
            return True
        case ast.Subscript(slice=ast.Tuple(elts=[ast.Slice(), ast.Constant(value=None)])):
            return True
        case ast.Call(func=ast.Attribute(attr="long" | "to" | "type", value=inner)):
            return _is_widened(code, inner)
    return False


def _is_row(code: Code, node: ast.expr, depth: int = 6) -> bool:
    """Whether a value is (B,): the largest of each row, and what elementwise arithmetic makes of it with
    values that nothing widens."""
    match node:
        case ast.Name() if depth:
            value = code.flow.assigned_value(node)
            return value is not None and _is_row(code, value, depth - 1)
        case ast.BinOp(op=ast.Add() | ast.Sub() | ast.Mult(), left=left, right=right):
            return _is_row(code, left, depth) or _is_row(code, right, depth)
        case ast.Subscript(
            value=ast.Call(func=ast.Attribute(attr=method)) as call, slice=ast.Constant(value=0)
        ):
            return method in REDUCES and _one_axis(call) and _last_axis(call)
        case ast.Attribute(value=ast.Call(func=ast.Attribute(attr=method)) as call, attr="values"):
            return method in REDUCES and _one_axis(call) and _last_axis(call)
        case ast.Call(func=ast.Attribute(attr="amax")):
            return _one_axis(node) and _last_axis(node)
        case ast.Call(func=ast.Attribute(attr=method, value=inner)) if method in KEEPS:
            return method != "gather" and _is_row(code, inner, depth)
    return False


def _last_axis(call: ast.Call) -> bool:
    given = [*call.args, *(k.value for k in call.keywords)]
    return integer(given[0]) in (1, -1)


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
