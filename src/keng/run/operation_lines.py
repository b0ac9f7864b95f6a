"""Finds the line of an operation that a graph names, in the source of what runs now."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from types import FrameType
from typing import TYPE_CHECKING, Any

from keng.model import Span
from keng.run.frames import here, is_user
from keng.run.user_code import classes_of, function_of, line, running

if TYPE_CHECKING:
    from torch.nn import Module

    from keng.source.code import Code

OPERATORS: dict[str, type[ast.operator]] = {
    "add": ast.Add, "div": ast.Div, "mul": ast.Mult, "pow": ast.Pow, "sub": ast.Sub,
}  # fmt: skip


def line_of(operation: str) -> Span | None:
    """The one line in the running function that does an operation; where there are none, or several, the
    one that made what the running line names, or that of a function which it calls."""
    now = running()
    if now is None:
        return here()
    code, body, frame = now
    lines = {node.lineno for node in _doing(code, body, operation)}
    at = next(iter(lines)) if len(lines) == 1 else _made_at(code, body, frame.f_lineno, lines)
    called = None if lines else _line_in_called(code, body, frame, at, operation)
    return called or Span(frame.f_code.co_filename, at)


def line_with(operation: str, shape: tuple[int, ...]) -> Span | None:
    """The one line of the running function that does an operation with a variable of that shape; else
    as `line_of`."""
    now = running()
    if now is None:
        return here()
    code, body, frame = now
    known = {name for name, value in frame.f_locals.items() if getattr(value, "shape", 0) == shape}
    lines = {n.lineno for n in _doing(code, body, operation) if _operands(n) & known}
    return Span(frame.f_code.co_filename, lines.pop()) if len(lines) == 1 else line_of(operation)


def line_in(module: Module, operation: str) -> Span | None:
    """The one line in the classes of a module and its parts that does an operation; the running one
    where there are none, or several."""
    found = {
        line(code, node)
        for code, owner in classes_of(module)
        for node in _doing(code, owner, operation)
    }
    return found.pop() if len(found) == 1 else here()


def last_set(name: str) -> Span | None:
    """The last line of the running function, before the one that runs, that gives a variable its value."""
    now = running()
    if now is None:
        return here()
    code, body, frame = now
    lines = [n.lineno for n in _names(code, body, ast.Store) if n.id == name]
    before = [at for at in lines if at < frame.f_lineno]
    return Span(frame.f_code.co_filename, max(before)) if before else here()


def _doing(code: Code, body: ast.AST, operation: str) -> Iterator[ast.Call | ast.BinOp]:
    """The calls and operators below a node that do an operation. A difference to a constant pairs
    nothing and widens nothing."""
    sign = OPERATORS.get(operation)
    for node in code.below(body, ast.Call, ast.BinOp):
        match node:
            case ast.Call():
                if code.calls.may_be_named(node.func, {operation}):
                    yield node
            case ast.BinOp(op=ast.Sub(), right=ast.Constant()):
                continue
            case ast.BinOp(op=op) if type(op) is sign:
                yield node


def _operands(node: ast.AST) -> set[str]:
    return {each.id for each in ast.iter_child_nodes(node) if isinstance(each, ast.Name)}


def _names(code: Code, body: ast.AST, context: type[ast.expr_context]) -> list[ast.Name]:
    return [name for name in code.below(body, ast.Name) if isinstance(name.ctx, context)]


def _made_at(code: Code, body: ast.AST, running: int, lines: set[int]) -> int:
    """The last assignment before the running line to a name on it: of `loss`, where `loss.backward()`
    runs. The running line where it does the operation itself."""
    if running in lines:
        return running
    read = {n.id for n in _names(code, body, ast.Load) if n.lineno == running}
    made = {n.lineno for n in _names(code, body, ast.Store) if n.id in read}
    return max((at for at in made if at < running), default=running)


def _line_in_called(
    code: Code, body: ast.AST, frame: FrameType, at: int, operation: str
) -> Span | None:
    """The one line that does it in the function of the user's that a line calls by its name."""
    for node in code.below(body, ast.Call):
        if node.lineno != at or not isinstance(node.func, ast.Name):
            continue
        name = node.func.id
        found = _body_of(frame.f_locals.get(name, frame.f_globals.get(name)))
        lines = {each.lineno for each in _doing(*found, operation)} if found is not None else set()
        if found is not None and len(lines) == 1:
            return Span(found[0].path, lines.pop())
    return None


def _body_of(function: Any) -> tuple[Code, ast.AST] | None:
    """The source of a function of the user's."""
    code = getattr(function, "__code__", None)
    return function_of(function) if code is not None and is_user(code.co_filename) else None
