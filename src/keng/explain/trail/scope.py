"""The names of a function that is followed, and what its live frame still holds of them."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Mapping
from types import FrameType, FunctionType
from typing import Any

from keng.explain.reasons.source import Function as FunctionNode
from keng.explain.trail.steps import Activation, Unknown

UNKNOWN = object()
"""Is bound to a name whose value cannot be had."""


class Scope:
    """`frame` is the live frame of the function, if it is one of the traceback, and `line` the line that it
    was at; `activation` collects the steps where these are to be shown."""

    def __init__(
        self,
        node: FunctionNode,
        names: dict[str, Any],
        outer: Mapping[str, Any],
        file: str,
        frame: FrameType | None = None,
        line: int = 0,
        activation: Activation | None = None,
    ) -> None:
        self.node = node
        self.names = names
        self.outer = outer
        self.file = file
        self.frame = frame
        self.line = line
        self.activation = activation
        self.statement: ast.stmt = ast.Pass()

    def load(self, name: str) -> Any:
        """Raises Unknown."""
        for names in (self.names, self.outer, vars(builtins)):
            if name in names:
                if names[name] is UNKNOWN:
                    raise Unknown
                return names[name]
        raise Unknown

    def alive(self, name: str, within: ast.AST | None = None) -> Any:
        """What the live frame holds under a name that is bound only once, or only inside of a statement.
        Raises Unknown."""
        if self.frame is None or name not in self.frame.f_locals:
            raise Unknown
        inside = {id(node) for node in ast.walk(within)} if within is not None else set()
        bound = [node for node in _stores(self.node) if node.id == name]
        within_it = bool(bound) and all(id(node) in inside for node in bound)
        once = len(bound) == 1 or within_it
        if not once or name in _parameters(self.node):
            raise Unknown
        return self.frame.f_locals[name]

    def is_at(self, node: ast.AST) -> bool:
        """Whether a node spans the line at which the live frame failed."""
        first, last = getattr(node, "lineno", 0), getattr(node, "end_lineno", 0) or 0
        return self.frame is not None and first <= self.line <= last

    def is_in(self, body: list[ast.stmt]) -> bool:
        return any(self.is_at(each) for each in body)


def _stores(node: ast.AST) -> list[ast.Name]:
    return [n for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]


def _parameters(node: FunctionNode) -> set[str]:
    return {each.arg for each in ast.walk(node.args) if isinstance(each, ast.arg)}


def stored_in(node: ast.AST) -> list[str]:
    """The names that a statement binds."""
    return list(dict.fromkeys(each.id for each in _stores(node)))


def names_of(function: FunctionType) -> dict[str, Any]:
    """The globals of a function and the variables of functions around it."""
    closed = {}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            closed[name] = cell.cell_contents
        except ValueError:
            closed[name] = UNKNOWN
    return {**function.__globals__, **closed}
