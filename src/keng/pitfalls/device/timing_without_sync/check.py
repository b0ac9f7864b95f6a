"""Source code: a clock is read before the GPU has finished."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from keng.model import Hits, Severity, say
from keng.pitfalls.device._shared import CLOCKS, only_queues
from keng.rules import finds
from keng.source import Code
from keng.source.tree import LOOPS


class Stretch(NamedTuple):
    """Statements whose time is taken: from a reading of a clock to the difference of two."""

    difference: ast.expr
    statements: list[ast.stmt]


@finds
def clock_read_too_soon(code: Code) -> Hits:
    for stretch in _timed(code):
        calls = [c for s in stretch.statements for c in code.below(s, ast.Call)]
        names = [n for s in stretch.statements for n in code.below(s, ast.Name)]
        if not calls or not all(only_queues(code, call) for call in calls):
            continue
        used = next((n.id for n in names if code.devices.on_cuda(n)), None)
        if used is not None:
            level: Severity | None = "hint" if _is_only_shown(code, stretch.difference) else None
            yield code.hit(stretch.difference, say("work-on-has-only", name=used), level=level)


def _is_only_shown(code: Code, difference: ast.expr) -> bool:
    """Whether a loop prints or logs the time of each round, and nothing else reads it."""
    loop, statement = code.around(difference, *LOOPS), code.statement(difference)
    if loop is None or not isinstance(statement, ast.Assign):
        return False
    names = {code.text_of(target) for target in statement.targets}
    reads = [
        n
        for n in code.below(code.tree.enclosing_body(statement), ast.Name)
        if n.id in names and isinstance(n.ctx, ast.Load)
    ]
    return all(code.within(n, loop) and _is_printed(code, n) for n in reads)


def _is_printed(code: Code, node: ast.AST) -> bool:
    calls = [a for a in code.tree.ancestors(node) if isinstance(a, ast.Call)]
    shown = {code.calls.attribute_name(call.func) for call in calls}
    return not shown.isdisjoint(
        ("print", "info", "debug", "write", "set_postfix", "set_description")
    )


def _is_clock(code: Code, node: ast.expr | None) -> bool:
    """Whether an expression reads a clock, or is a name that was given such a reading."""
    if isinstance(node, ast.Name):
        return any(
            b.how == "assign" and _is_clock(code, b.value)
            for b in code.flow.reaching_definitions(node)
        )
    return isinstance(node, ast.Call) and code.names.resolve(node.func) in CLOCKS


def _timed(code: Code) -> Iterator[Stretch]:
    """What is between two readings of a clock in one block."""
    for difference in code.of(ast.BinOp):
        match difference:
            case ast.BinOp(op=ast.Sub(), left=left, right=ast.Name() as right):
                if not (_is_clock(code, left) and _is_clock(code, right)):
                    continue
                starts, ends = _readings(code, right), _readings(code, left)
                if len(starts) == 1 and len(ends) == 1:
                    yield Stretch(difference, _between(code, starts[0], ends[0]))


def _readings(code: Code, node: ast.expr) -> list[ast.stmt]:
    if isinstance(node, ast.Name):
        return [code.statement(b.node) for b in code.flow.reaching_definitions(node)]
    return [code.statement(node)]


def _between(code: Code, start: ast.stmt, end: ast.stmt) -> list[ast.stmt]:
    for block in ("body", "orelse", "finalbody"):
        statements = getattr(code.tree.parent.get(start), block, [])
        if isinstance(statements, list) and start in statements and end in statements:
            return statements[statements.index(start) + 1 : statements.index(end)]
    return []
