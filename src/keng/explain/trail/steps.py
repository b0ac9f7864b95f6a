"""What was computed on the way to the operand that failed."""

from __future__ import annotations

import ast
from collections.abc import Callable
from types import FunctionType
from typing import Any, NamedTuple, TypeAlias


class Unknown(Exception):  # noqa: N818  # no error: the answer to a question
    """A value that cannot be had without values of tensors or without running the program's code."""


class Stopped(Exception):  # noqa: N818
    """The function cannot be followed any further."""


class Step(NamedTuple):
    """One operation that made tensors: its expression, the statement and file it is in, its name for a
    reader (`conv1`, `flatten`), the tensors that went in and those that came out."""

    node: ast.expr
    statement: ast.stmt
    path: str
    name: str
    inputs: tuple[Any, ...]
    outputs: tuple[Any, ...]


class Activation:
    """One call of a function of the traceback: its level, the steps made in it so far, the names that its
    statements have bound to tensors, in order, and the tensors that it was given."""

    def __init__(self, level: int, name: str, path: str, given: dict[str, Any]) -> None:
        self.level = level
        self.name = name
        self.path = path
        self.given = given
        self.steps: list[Step] = []
        self.bound: list[tuple[str, Any]] = []


class Failed(Exception):  # noqa: N818
    """The operation that failed in the program fails on meta tensors as well. `activations` are the calls
    around it, innermost first."""

    def __init__(self, node: ast.expr, name: str, called: Any, operands: tuple[Any, ...]) -> None:
        super().__init__(name)
        self.node = node
        self.name = name
        self.called = called
        self.operands = operands
        self.activations: list[Activation] = []


class Function(NamedTuple):
    """A function defined inside one that is followed."""

    node: ast.FunctionDef | ast.Lambda
    scope: Any


class Overlay(NamedTuple):
    """An attribute that a statement has set, which the object itself does not get."""

    owner: Any
    value: Any


Follow: TypeAlias = Callable[[FunctionType, list[Any], dict[str, Any], Any, ast.expr], Any]
"""Runs through a function with its arguments, for the scope and the expression of the call."""
