"""What a guard would have accepted: the negation of what held, where the guard is simple."""

from __future__ import annotations

import ast
import re
from typing import Any

from keng.explain.reasons.calls import last_name
from keng.explain.reasons.evaluation import Evaluator, Unknown
from keng.explain.reasons.guards import Atom
from keng.explain.reasons.origins import bound_names, short
from keng.explain.reasons.showing import shown
from keng.explain.reasons.source import Function
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


def accepted_by(
    parts: list[Atom], kind: str, evaluator: Evaluator, function: Function | None
) -> tuple[Accepted, ...]:
    """What would have been accepted in place of what held, one of several being enough: only for what a
    caller can have given, which modules and globals are not."""
    if kind == "ladder":
        found = _of_ladder(parts)
    elif kind == "guard":
        factor = _divided(parts, evaluator, function)
        found = [factor] if factor is not None else _of_parts(parts, evaluator)
    else:
        return ()
    own = bound_names(function)
    rooted = [each for each in found if function is None or _root(each.what) in own]
    return tuple(dict.fromkeys(rooted))[:2]


def _root(what: str) -> str:
    return re.split(r"\W", what.removeprefix("len(").removeprefix("type("), maxsplit=1)[0]


def _of_parts(parts: list[Atom], evaluator: Evaluator) -> list[Accepted]:
    """A type that was merely asked for first is no advice."""
    found = [each for part in parts if (each := accepted(part, evaluator)) is not None]
    telling = [each for each in found if each.bound not in ("not_a", "without", "with")]
    if len(found) < len(parts) and not telling:
        return []
    return telling or found


def _of_ladder(parts: list[Atom]) -> list[Accepted]:
    """The members, where every step of a ladder asks the same of the same name."""
    steps = [_step(part.test) for part in parts]
    if any(step is None for step in steps):
        return []
    told = [step for step in steps if step is not None]
    whats = {(bound, what) for bound, what, _ in told}
    members = [member for _, _, each in told for member in each]
    if len(whats) != 1 or sum(map(len, members)) > 2 * LONGEST:
        return []
    bound, what = whats.pop()
    return [Accepted(bound, what, (" | " if bound == "a" else ", ").join(members))]


def _step(test: ast.expr) -> tuple[Bound, str, list[str]] | None:
    """One test of a ladder: its kind, what it is about, and what it lets through."""
    match test:
        case ast.Compare(left=left, ops=[ast.Eq() | ast.Is()], comparators=[ast.Constant() as one]):
            return "one_of", short(left), [ast.unparse(one)]
        case ast.Compare(
            left=left, ops=[ast.In()], comparators=[ast.Tuple() | ast.List() | ast.Set() as many]
        ):
            return "one_of", short(left), [ast.unparse(each) for each in many.elts]
        case ast.Call(func=ast.Name(id="isinstance"), args=[left, kinds]):
            return "a", short(left), [_classes(kinds)]
    return None


def _divided(parts: list[Atom], evaluator: Evaluator, function: Function | None) -> Accepted | None:
    """`head_dim * heads == width`, where `head_dim` is `width // heads`: a multiple of `heads`."""
    if len(parts) != 1 or function is None:
        return None
    match parts[0].test:
        case ast.Compare(left=ast.BinOp(left=one, op=ast.Mult(), right=other), comparators=[whole]):
            for factor in (one, other):
                division = _division(factor, function)
                if division is not None and last_name(division.left) == last_name(whole) != "":
                    return multiple(division.left, division.right, evaluator)
    return None


def _division(factor: ast.expr, function: Function) -> ast.BinOp | None:
    """The division that a name was assigned from in the same function."""
    name = last_name(factor)
    for node in ast.walk(function) if name else ():
        match node:
            case ast.Assign(targets=[target], value=ast.BinOp(op=ast.FloorDiv()) as value):
                if last_name(target) == name:
                    return value
    return None


def accepted(atom: Atom, evaluator: Evaluator) -> Accepted | None:
    """What the part of a guard would have accepted; None where that cannot be said in a few words."""
    test, holds = atom.test, atom.holds
    if not atom.alone:
        return None
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
            return multiple(left, right, evaluator)
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
    if isinstance(left, ast.BinOp) and not isinstance(left.op, ast.Mod):
        return None
    if op is ast.Eq and isinstance(left, ast.BinOp) and isinstance(left.op, ast.Mod):
        return multiple(left.left, left.right, evaluator) if _is_zero(right) else None
    if isinstance(right, ast.Constant) and right.value is None:
        given = op in (ast.IsNot, ast.NotEq)
        return Accepted("given" if given else "equal", short(left), "" if given else "None")
    if isinstance(right, ast.Constant) and op is ast.NotEq and _is_length(left):
        return Accepted("not_empty", short(left.args[0])) if _is_zero(right) else None  # type: ignore[attr-defined]
    kind = BOUNDS[op]
    limit = _bound(right, evaluator, kind)
    single = kind == "one_of" and ", " not in limit
    return Accepted("equal" if single else kind, short(left), limit) if limit else None


def _bound(right: ast.expr, evaluator: Evaluator, kind: Bound) -> str:
    """A constant as it is; a name with its value; the members of a collection, "" if they are not known."""
    text = short(right, LONGEST)
    value = _value(right, evaluator)
    if kind in ("one_of", "none_of"):
        listed = isinstance(right, ast.Tuple | ast.List | ast.Set) and len(text) < LONGEST
        return _members(value) or (text.strip("()[]{}") if listed else "")
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


def multiple(left: ast.expr, right: ast.expr, evaluator: Evaluator) -> Accepted:
    """A multiple of the divisor, with those next to the number that came."""
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
    return " | ".join(last_name(each) or short(each) for each in parts)


def _is_zero(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) is int and node.value == 0


def _is_length(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and last_name(node.func) == "len" and len(node.args) == 1
