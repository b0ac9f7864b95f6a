"""The conditions under which a `raise` is reached."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Literal, NamedTuple

from keng.explain.reasons.source import FUNCTIONS, Tree

Kind = Literal["if", "else", "early exit", "assert", "check", "match", "search", "loop", "except"]


class Guard(NamedTuple):
    """`holds` is the value that `test` had when the raise was reached. `node` is what `test` belongs to: a
    `for` of a search, a handler, a case of a match."""

    kind: Kind
    node: ast.AST
    test: ast.expr | None
    holds: bool
    line: int


class Atom(NamedTuple):
    """A part of a guard without `not`, `and`, `or` around it, and the value it had. `alone` tells whether
    no other part would have decided the same."""

    test: ast.expr
    holds: bool
    alone: bool = True


def guards_of(node: ast.AST, tree: Tree) -> list[Guard]:
    """The guards of a raise, an assert or a `torch._check`, innermost first."""
    found: list[Guard] = []
    if isinstance(node, ast.Assert):
        found.append(Guard("assert", node, node.test, False, node.lineno))
    elif isinstance(node, ast.Call) and node.args:
        found.append(Guard("check", node, node.args[0], False, node.lineno))
    child, parent = node, tree.parents.get(node)
    while parent is not None and not isinstance(child, FUNCTIONS):
        found += _above(child, parent)
        found += _around(child, parent)
        child, parent = parent, tree.parents.get(parent)
    return found


def _above(child: ast.AST, parent: ast.AST) -> list[Guard]:
    """Statements before the child in its block that leave it under a condition, nearest first."""
    found: list[Guard] = []
    for field in ("body", "orelse", "finalbody"):
        block = getattr(parent, field, None)
        if not isinstance(block, list) or child not in block:
            continue
        for statement in reversed(block[: block.index(child)]):
            if isinstance(statement, ast.If):
                found += _early_exits(statement)
            elif isinstance(statement, ast.For) and _may_leave(statement):
                found.append(Guard("search", statement, None, True, statement.lineno))
    return found


def _early_exits(statement: ast.If) -> list[Guard]:
    """An `if` whose every branch leaves the block, and the `elif` below it."""
    ladder = [statement]
    while len(ladder[-1].orelse) == 1 and isinstance(ladder[-1].orelse[0], ast.If):
        ladder.append(ladder[-1].orelse[0])
    if ladder[-1].orelse or not all(_leaves(each.body) for each in ladder):
        return []
    kind: Kind = "early exit" if len(ladder) == 1 else "else"
    return [Guard(kind, each, each.test, False, each.lineno) for each in reversed(ladder)]


def _leaves(body: list[ast.stmt]) -> bool:
    return bool(body) and isinstance(body[-1], ast.Return | ast.Raise | ast.Continue | ast.Break)


def _may_leave(loop: ast.For) -> bool:
    return any(isinstance(node, ast.Return | ast.Break) for node in ast.walk(loop))


def _around(child: ast.AST, parent: ast.AST) -> list[Guard]:
    match parent:
        case ast.If(body=body, test=test):
            inside = child in body
            return [Guard("if" if inside else "else", parent, test, inside, parent.lineno)]
        case ast.For(orelse=orelse):
            kind: Kind = "search" if child in orelse else "loop"
            return [Guard(kind, parent, None, True, parent.lineno)]
        case ast.ExceptHandler():
            return [Guard("except", parent, None, True, parent.lineno)]
        case ast.match_case():
            return [Guard("match", parent, None, True, parent.pattern.lineno)]
    return []


def atoms(
    test: ast.expr, holds: bool, value: Callable[[ast.expr], bool | None], depth: int = 0
) -> list[Atom]:
    """The parts that decided. `value` gives the truth of an expression, or None where that is not known; of
    an `or` that held only the operand that was true is kept."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return atoms(operand, not holds, value, depth + 1)
        case ast.BoolOp(op=op, values=values) if depth < 20:
            if isinstance(op, ast.And) == holds:
                return [atom for each in values for atom in atoms(each, holds, value, depth + 1)]
            known = [value(each) for each in values]
            if holds in known:  # one operand is enough to decide
                first = known.index(holds)
                others = known[:first] + known[first + 1 :]
                alone = all(truth == (not holds) for truth in others)
                found = atoms(values[first], holds, value, depth + 1)
                return [each._replace(alone=each.alone and alone) for each in found]
    return [Atom(test, holds)]
