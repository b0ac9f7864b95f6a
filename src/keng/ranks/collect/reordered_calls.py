"""Two calls in a row that a rank makes the other way round: of one shape, their values are mixed."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cache

from keng.ranks.calls import Collective
from keng.ranks.collect.journal import DEEPEST
from keng.run.user_code import code_at

Calls = Mapping[int, Collective]


def swapped(first: Calls, second: Calls) -> bool:
    """Whether two calls in a row, by rank, are the same two on some ranks, in two orders. Each of these
    makes both whenever it makes one."""
    if all(len({call.where for call in calls.values()}) == 1 for calls in (first, second)):
        return False
    if any(call.joined for call in (*first.values(), *second.values())):
        return False
    pairs = {rank: (_written(first[rank]), _written(second[rank])) for rank in first}
    one, other = next(iter(pairs.values()))
    two = [rank for rank, pair in pairs.items() if pair in ((one, other), (other, one))]
    turned = one != other and (other, one) in pairs.values()
    return turned and all(_follows(first[rank], second[rank]) for rank in two)


def _written(call: Collective) -> tuple[str, str, str]:
    """A call as the user wrote it, with its function and file; its line where that is unknown."""
    if call.where is None:
        return "", "", ""
    path, line = call.where.path, call.where.line
    texts = [text for at, text in _calls(path, call.op) if line in at]
    return path, call.function, texts[0] if len(texts) == 1 else str(line)


@cache
def _calls(path: str, op: str) -> tuple[tuple[range, str], ...]:
    """The calls of a function of this name: their lines, and their text."""
    code = code_at(path)
    return tuple(
        (range(call.lineno, (call.end_lineno or call.lineno) + 1), ast.unparse(call))
        for call in (code.of(ast.Call) if code is not None else ())
        if ast.unparse(call.func).rpartition(".")[2] == op
    )


def _follows(one: Collective, other: Collective) -> bool:
    """Whether the second call always follows the first: their lines part at two statements of one block."""
    cut = DEEPEST in (len(one.lines), len(other.lines))
    if cut and len(one.lines) != len(other.lines):
        return False
    for mine, theirs in zip(reversed(one.lines), reversed(other.lines), strict=False):
        if mine != theirs:
            together = (_in_turn(body, mine.line, theirs.line) for body in _blocks(mine.path))
            return mine.path == theirs.path and any(together)
    return False


def _in_turn(body: list[ast.stmt], first: int, second: int) -> bool:
    plain = [each for each in body if isinstance(each, (ast.Expr, ast.Assign, ast.AugAssign))]
    lines = [range(each.lineno, (each.end_lineno or each.lineno) + 1) for each in plain]
    before = next((n for n, each in enumerate(lines) if first in each), len(lines))
    return any(second in each for each in lines[before + 1 :])


def _blocks(path: str) -> Iterator[list[ast.stmt]]:
    code = code_at(path)
    for node in ast.walk(code.tree.root) if code is not None else ():
        for name in ("body", "orelse", "finalbody"):
            block = getattr(node, name, None)
            if isinstance(block, list):
                yield block
