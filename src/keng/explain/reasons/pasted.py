"""The call that failed and the lines that gave its operands, in code that was pasted next to an error."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from keng.model import Span, WrittenAt

PROMPT = re.compile(
    r"^(?:>>> |\.\.\. |In \[\d{1,4}\]: |-{2,}> ?\d{1,5} |\s{0,8}\d{1,5}\s{1,8})?\s*"
)
QUOTED, NAME = re.compile(r"['\"`](\w+)['\"`]"), re.compile(r"\w+")
MOST_LINES = 200
MOST_SHOWN = 3
LONGEST = 120
NOWHERE = Span("", 0)
"""Of a paste: its lines have no file."""


def pasted_values(failing: str, message: str, rest: Sequence[str]) -> tuple[WrittenAt, ...]:
    """The lines of a paste that give the names of a failing line their values, nearest first. Where the
    traceback shows no `failing` line, before them the last call of the paste that has a name which the
    message quotes, or else the last call."""
    code = [tree for line in rest[-MOST_LINES:] if (tree := _statement(line)) is not None]
    shown: list[ast.stmt] = []
    failed = _statement(failing) if failing else _last_call(code, message)
    if failed is None:
        return ()
    if not failing:
        shown.append(failed)
        code = code[: code.index(failed)]
    shown += _givers(failed, code)
    texts = dict.fromkeys(text for each in shown if len(text := ast.unparse(each)) <= LONGEST)
    return tuple(WrittenAt(text, NOWHERE) for text in [*texts][:MOST_SHOWN])


def _last_call(code: list[ast.stmt], message: str) -> ast.stmt | None:
    calls = [each for each in reversed(code) if _calls(each)]
    quoted = set(QUOTED.findall(message))
    named = (each for each in calls if quoted & set(NAME.findall(ast.unparse(each))))
    return next(named, calls[0] if calls else None)


def _givers(failed: ast.stmt, code: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The last assignment of each name that a statement reads, and of those that it reads in turn."""
    wanted = _read(failed)
    for each in reversed(code):
        given = _given(each) & wanted
        if given and each is not failed:
            yield each
            wanted = (wanted - given) | _read(each)


def _statement(line: str) -> ast.stmt | None:
    text = PROMPT.sub("", line.rstrip(), count=1)
    if not 3 <= len(text) <= LONGEST:
        return None
    try:
        body = ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    kinds = (ast.Assign, ast.Expr, ast.Return)
    return body[0] if len(body) == 1 and isinstance(body[0], kinds) else None


def _calls(statement: ast.stmt) -> bool:
    value = statement.value if isinstance(statement, ast.Assign | ast.Expr) else None
    printed = isinstance(value, ast.Call) and ast.unparse(value.func) == "print"
    return isinstance(value, ast.Call | ast.BinOp | ast.Subscript) and not printed


def _read(statement: ast.stmt) -> set[str]:
    nodes = ast.walk(statement)
    return {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}


def _given(statement: ast.stmt) -> set[str]:
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    return {n.id for each in targets for n in ast.walk(each) if isinstance(n, ast.Name)}
