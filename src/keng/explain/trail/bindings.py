"""What statements bind: names, and attributes and elements of what was made here."""

from __future__ import annotations

import ast
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from keng.explain.trail.scope import UNKNOWN, Scope, stored_in
from keng.explain.trail.steps import Overlay, Unknown
from keng.explain.trail.values import Values


class Bindings:
    """`value` evaluates an expression in a scope."""

    def __init__(self, values: Values, value: Callable[[ast.expr, Scope], Any]) -> None:
        self._values = values
        self._value = value
        self._overlays: dict[tuple[int, str], Overlay] = {}

    def overlaid(self, owner: Any, name: str) -> Overlay | None:
        """The attribute of an object as a statement has set it."""
        known = self._overlays.get((id(owner), name))
        return known if known is not None and known.owner is owner else None

    def bind(self, target: ast.expr, value: Any, scope: Scope, node: ast.stmt) -> None:
        match target:
            case ast.Name(id=name):
                scope.names[name] = value
                self._note(node, name, scope)
            case ast.Tuple(elts=targets) | ast.List(elts=targets):
                for each, part in zip(
                    targets, self._values.parts(value, len(targets)), strict=True
                ):
                    self.bind(each, part, scope, node)
            case ast.Attribute(value=owner, attr=name):
                with suppress(Unknown):
                    of = self._value(owner, scope)
                    self._overlays[id(of), name] = Overlay(of, value)
            case ast.Subscript(value=owner, slice=index):
                self._store(owner, index, value, scope)
            case ast.Starred():
                raise Unknown

    def _store(self, owner: ast.expr, index: ast.expr, value: Any, scope: Scope) -> None:
        """Only into what was made here."""
        of, at = self._value(owner, scope), self._value(index, scope)
        if self._values.is_new(of) or self._values.copies.is_own(of):
            with suppress(Exception):
                of[at] = value

    def _note(self, node: ast.AST, name: str, scope: Scope) -> None:
        value = scope.names[name]
        activation = scope.activation if isinstance(node, ast.stmt) else None
        if activation is not None and self._values.is_tensor(value):
            activation.bound.append((name, value))

    def forget(self, node: ast.AST, scope: Scope) -> None:
        """Binds the names of a statement to what the live frame holds, else to the unknown."""
        for name in stored_in(node):
            try:
                scope.names[name] = self._values.made(scope.alive(name, node))
            except Unknown:
                scope.names[name] = UNKNOWN
            else:
                self._note(node, name, scope)
