"""What a guard would have accepted: the negation of what held, where the guard is simple."""

from __future__ import annotations

import ast
from typing import Any

from keng.explain.reasons.calls import last_name
from keng.explain.reasons.evaluation import Evaluator, Unknown
from keng.explain.reasons.guards import Atom
from keng.explain.reasons.origins import short
from keng.explain.reasons.showing import shown
from keng.model import Accepted, Bound

NEGATED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.GtE,
    ast.GtE: ast.Lt,
    ast.Gt: ast.LtE,
    ast.LtE: ast.Gt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
REVERSED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.Gt,
    ast.Gt: ast.Lt,
    ast.LtE: ast.GtE,
    ast.GtE: ast.LtE,
    ast.Eq: ast.Eq,
    ast.NotEq: ast.NotEq,
}
BOUNDS: dict[type[ast.cmpop], Bound] = {
    ast.Eq: "equal",
    ast.NotEq: "other",
    ast.Lt: "below",
    ast.LtE: "at_most",
    ast.Gt: "above",
    ast.GtE: "at_least",
    ast.In: "one_of",
    ast.NotIn: "none_of",
    ast.Is: "equal",
    ast.IsNot: "other",
}
LONGEST = 120


def accepted(atom: Atom, evaluator: Evaluator) -> Accepted | None:
    """What the part of a guard would have accepted; None where that cannot be said in a few words."""
    test, holds = atom
    match test:
        case ast.Compare(ops=[op], comparators=[right]):
            return _compared(test.left, type(op), right, holds, evaluator)
        case ast.Compare():
            return None if holds else Accepted("true", short(test))
        case ast.Call(func=ast.Name(id="isinstance"), args=[what, kinds]):
            return Accepted("not_a" if holds else "a", short(what), _classes(kinds))
        case ast.Call(func=ast.Name(id="hasattr"), args=[what, ast.Constant(value=str(name))]):
            return Accepted("without" if holds else "with", short(what), name)
        case ast.BinOp(left=left, op=ast.Mod(), right=right) if holds:
            return _multiple(left, right, evaluator)
        case ast.Name() | ast.Attribute() if evaluator.truth(test) is not None:
            return _switch(test, holds, evaluator)
    return None


def _switch(test: ast.expr, holds: bool, evaluator: Evaluator) -> Accepted | None:
    value = _value(test, evaluator)
    if type(value) is bool:
        return Accepted("equal", short(test), repr(not value))
    if value is None and not holds:
        return Accepted("given", short(test))
    return None


def _compared(
    left: ast.expr, op: type[ast.cmpop], right: ast.expr, holds: bool, evaluator: Evaluator
) -> Accepted | None:
    if isinstance(left, ast.Constant) and op in REVERSED:
        left, right, op = right, left, REVERSED[op]
    op = NEGATED[op] if holds else op
    if op is ast.Eq and isinstance(left, ast.BinOp) and isinstance(left.op, ast.Mod):
        return _multiple(left.left, left.right, evaluator) if _is_zero(right) else None
    if isinstance(right, ast.Constant) and right.value is None:
        given = op in (ast.IsNot, ast.NotEq)
        return Accepted("given" if given else "equal", short(left), "" if given else "None")
    if isinstance(right, ast.Constant) and op is ast.NotEq and _is_length(left):
        return Accepted("not_empty", short(left.args[0])) if _is_zero(right) else None  # type: ignore[attr-defined]
    kind = BOUNDS[op]
    return Accepted(kind, short(left), _bound(right, evaluator, kind))


def _bound(right: ast.expr, evaluator: Evaluator, kind: Bound) -> str:
    """A constant as it is; a name with its value; the members of a collection."""
    text = short(right, LONGEST)
    value = _value(right, evaluator)
    if kind in ("one_of", "none_of"):
        members = _members(value)
        return members or text.strip("()[]{}")
    said = shown(value) if type(value) in (bool, int, float, str) else ""
    if isinstance(right, ast.Constant) or not said:
        return text if isinstance(right, ast.Constant) else f"`{text}`"
    return f"`{text}` ({said})"


def _members(value: Any) -> str:
    """The members of a collection, if they are few and may be shown."""
    if type(value) in (list, tuple, set, frozenset, dict, type({}.keys())) and 0 < len(value) <= 30:
        texts = [shown(each) for each in value]
        text = ", ".join(texts)
        return text if all(texts) and len(text) <= 2 * LONGEST else ""
    return ""


def _multiple(left: ast.expr, right: ast.expr, evaluator: Evaluator) -> Accepted:
    number, divisor = _value(left, evaluator), _value(right, evaluator)
    near: tuple[str, ...] = ()
    if type(number) is type(divisor) is int and divisor > 0 and number >= 0:
        below = number // divisor * divisor
        near = tuple(str(n) for n in (below, below + divisor) if n > 0)
    bound = str(divisor) if type(divisor) is int else f"`{short(right)}`"
    return Accepted("multiple", short(left), bound, near)


def _value(node: ast.expr, evaluator: Evaluator) -> Any:
    try:
        return evaluator(node)
    except Unknown:
        return Unknown


def _classes(kinds: ast.expr) -> str:
    parts = kinds.elts if isinstance(kinds, ast.Tuple) else [kinds]
    return ", ".join(last_name(each) or short(each) for each in parts)


def _is_zero(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) is int and node.value == 0


def _is_length(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and last_name(node.func) == "len" and len(node.args) == 1
