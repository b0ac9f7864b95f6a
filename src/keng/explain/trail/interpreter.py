"""Evaluates the statements of a function on meta tensors.

Only torch's functions and layers are called, on copies that have no values; functions of the program and of
libraries are followed statement by statement in the same way, so that none of their code runs and none of
their objects changes.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Mapping, Sequence
from types import CodeType, FrameType, FunctionType
from typing import Any

from keng.explain.ownership.paths import OWN, is_torch
from keng.explain.reasons.source import Function as FunctionNode
from keng.explain.reasons.source import Sources
from keng.explain.trail.bindings import Bindings
from keng.explain.trail.calls import Calls
from keng.explain.trail.deadline import Deadline
from keng.explain.trail.expressions import Expressions
from keng.explain.trail.operations import Operations
from keng.explain.trail.scope import Scope, names_of
from keng.explain.trail.statements import Returned, Statements
from keng.explain.trail.steps import Activation, Failed, Stopped, Unknown
from keng.explain.trail.values import Values

MOST_DEPTH = 24


class Interpreter:
    """Follows the frames of one traceback, outermost first; `lines` are where they were."""

    def __init__(
        self,
        torch: Any,
        frames: Sequence[FrameType],
        lines: Sequence[int],
        sources: Sources,
        deadline: Deadline,
    ) -> None:
        self._frames = frames
        self._lines = lines
        self._sources = sources
        self._depth = 0
        deepest = max(
            (n for n, f in enumerate(frames) if not _is_below(f.f_code.co_filename)), default=0
        )
        self._values = values = Values(torch)
        operations = Operations(torch, values, deepest)
        bindings = Bindings(values, self._value)
        self._expressions = Expressions(
            values, operations, bindings, deadline, self._call, self._follow
        )
        self._calls = Calls(
            torch, values, operations, self._expressions, self._follow, self._body_of
        )
        self._statements = Statements(values, operations, self._expressions, bindings)

    def enter(
        self, level: int, code: CodeType, names: Mapping[str, Any], given: dict[str, Any]
    ) -> Any:
        """Follows the function of a frame from its inputs. Raises Failed, Stopped or Unknown."""
        given = {name: self._values.made(value) for name, value in given.items()}
        tensors = {n: v for n, v in given.items() if self._values.is_tensor(v)}
        activation = Activation(level, _qualified(code, given), code.co_filename, tensors)
        frame, line = self._frames[level], self._lines[level]
        scope = Scope(self._node(code), given, names, code.co_filename, frame, line, activation)
        try:
            return self._body_of(scope.node, scope)
        except Failed as failed:
            failed.activations.append(activation)
            raise

    def _body_of(self, node: FunctionNode, scope: Scope) -> Any:
        if isinstance(node, ast.Lambda):
            return self._expressions.value(node.body, scope)
        self._depth += 1
        try:
            if self._depth > MOST_DEPTH:
                raise Stopped
            self._statements.block(node.body, scope)
        except Returned as returned:
            return returned.value
        finally:
            self._depth -= 1
        return None

    def _node(self, code: CodeType) -> FunctionNode:
        source = self._sources.read(code.co_filename)
        tree = source.tree(code.co_firstlineno) if source is not None else None
        for node in tree.nodes if tree is not None else ():
            if isinstance(node, ast.FunctionDef | ast.Lambda) and _is_code_of(node, code):
                return node
        raise Unknown

    def _follow(
        self, function: Any, args: list[Any], kwargs: dict[str, Any], scope: Scope, node: ast.expr
    ) -> Any:
        """A call of a function in Python, of the program or of a library."""
        if is_torch(function.__code__.co_filename) and not _is_context(function):
            raise Unknown
        while is_torch(function.__code__.co_filename) and hasattr(function, "__wrapped__"):
            function = function.__wrapped__  # `torch.no_grad()` around it
            if type(function) is not FunctionType:
                raise Unknown
        try:
            bound = inspect.signature(function, follow_wrapped=False).bind(*args, **kwargs)
        except (TypeError, ValueError):
            raise Unknown from None
        bound.apply_defaults()
        level = self._level_below(function, scope, node)
        if level is not None:
            code, names = function.__code__, names_of(function)
            return self.enter(level, code, names, dict(bound.arguments))
        inner = Scope(
            self._node(function.__code__),
            {name: self._values.made(value) for name, value in bound.arguments.items()},
            names_of(function),
            function.__code__.co_filename,
        )
        return self._body_of(inner.node, inner)

    def _level_below(self, function: FunctionType, scope: Scope, node: ast.AST) -> int | None:
        """The level of the traceback that a call may lead to."""
        if scope.activation is None or not scope.is_at(node):
            return None
        for level in range(scope.activation.level + 1, len(self._frames)):
            code = self._frames[level].f_code
            if code is function.__code__:
                return level
            if not is_torch(code.co_filename):
                return None
        return None

    def _value(self, node: ast.expr, scope: Scope) -> Any:
        return self._expressions.value(node, scope)

    def _call(self, node: ast.Call, scope: Scope) -> Any:
        return self._calls.call(node, scope)


def _is_below(path: str) -> bool:
    """Torch, and what keng puts in place of its functions during a run."""
    return is_torch(path) or path.startswith(OWN)


def _qualified(code: CodeType, given: Mapping[str, Any]) -> str:
    """`Net.forward`."""
    owner = given.get("self")
    return f"{type(owner).__name__}.{code.co_name}" if owner is not None else code.co_name


def _is_code_of(node: ast.FunctionDef | ast.Lambda, code: CodeType) -> bool:
    if isinstance(node, ast.Lambda):
        return code.co_name == "<lambda>" and node.lineno == code.co_firstlineno
    first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
    generates = any(isinstance(each, ast.Yield | ast.YieldFrom) for each in ast.walk(node))
    return node.name == code.co_name and first == code.co_firstlineno and not generates


def _is_context(function: FunctionType) -> bool:
    """What `torch.no_grad()` and `torch.autocast()` make of a function."""
    return hasattr(function, "__wrapped__")
