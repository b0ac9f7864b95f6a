"""The statements of a function, one after the other."""

from __future__ import annotations

import ast
from typing import Any

from keng.explain.trail.bindings import Bindings
from keng.explain.trail.expressions import Expressions
from keng.explain.trail.operations import Operations
from keng.explain.trail.scope import Scope
from keng.explain.trail.steps import Function, Stopped, Unknown
from keng.explain.trail.values import MOST_ROUNDS, Values


class Returned(Exception):  # noqa: N818
    def __init__(self, value: Any) -> None:
        super().__init__()
        self.value = value


class _Continued(Exception):  # noqa: N818
    """`continue`."""


class _Broken(Exception):  # noqa: N818
    """`break`."""


class Statements:
    """Raises Returned for a `return`."""

    def __init__(
        self, values: Values, operations: Operations, expressions: Expressions, bindings: Bindings
    ) -> None:
        self._values = values
        self._operations = operations
        self._expressions = expressions
        self._bindings = bindings

    def block(self, body: list[ast.stmt], scope: Scope) -> None:
        for statement in body:
            self._statement(statement, scope)

    def _statement(self, node: ast.stmt, scope: Scope) -> None:
        scope.statement = node
        match node:
            case ast.Return(value=value):
                raise Returned(
                    None if value is None else self._expressions.or_unknown(value, scope)
                )
            case ast.If():
                self._if(node, scope)
            case ast.For():
                self._for(node, scope)
            case ast.While():
                self._while(node, scope)
            case ast.With(items=items, body=body):
                for item in items:
                    if item.optional_vars is not None:
                        self._bindings.forget(item.optional_vars, scope)
                self.block(body, scope)
            case ast.Try(body=body, orelse=orelse, finalbody=final):
                self.block([*body, *orelse, *final], scope)
            case ast.FunctionDef(name=name):
                scope.names[name] = Function(node, scope)
            case ast.Continue():
                raise _Continued
            case ast.Break():
                raise _Broken
            case ast.Raise():
                raise Stopped
            case ast.Pass() | ast.Global() | ast.Nonlocal() | ast.Assert():
                pass
            case _:
                self._simple(node, scope)

    def _simple(self, node: ast.stmt, scope: Scope) -> None:
        """A statement that computes and binds."""
        try:
            match node:
                case ast.Assign(targets=targets, value=value):
                    made = self._expressions.value(value, scope)
                    for target in targets:
                        self._bindings.bind(target, made, scope, node)
                case ast.AnnAssign(target=target, value=value) if value is not None:
                    self._bindings.bind(target, self._expressions.value(value, scope), scope, node)
                case ast.AugAssign(target=target, op=op, value=value):
                    before = self._expressions.value(_loaded(target), scope)
                    made = self._operations.operated(
                        type(op).__name__,
                        before,
                        self._expressions.value(value, scope),
                        value,
                        scope,
                    )
                    self._bindings.bind(target, made, scope, node)
                case ast.Expr(value=value):
                    self._expressions.value(value, scope)
                case _:
                    raise Unknown
        except Unknown:
            self._bindings.forget(node, scope)

    def _if(self, node: ast.If, scope: Scope) -> None:
        try:
            holds = self._values.truth(self._expressions.value(node.test, scope))
        except Unknown:
            if scope.is_in(node.body):
                holds = True
            elif scope.is_in(node.orelse) or _leaves(node.body):
                holds = False
            elif _leaves(node.orelse):
                holds = True
            else:
                self._bindings.forget(node, scope)
                return
        self.block(node.body if holds else node.orelse, scope)

    def _for(self, node: ast.For, scope: Scope) -> None:
        try:
            rounds = list(self._values.elements(self._expressions.value(node.iter, scope)))
        except Unknown:
            if not scope.is_in(node.body):
                self._bindings.forget(node, scope)
                return
            self._bindings.forget(node.target, scope)
            self._round(node.body, scope)
            raise Stopped from None  # the round that failed did not fail here
        if len(rounds) > MOST_ROUNDS:
            raise Stopped
        for each in rounds:
            self._bindings.bind(node.target, self._values.made(each), scope, node)
            if self._round(node.body, scope):
                return
        self.block(node.orelse, scope)

    def _while(self, node: ast.While, scope: Scope) -> None:
        for _ in range(MOST_ROUNDS):
            try:
                if not self._values.truth(self._expressions.value(node.test, scope)):
                    return
            except Unknown:
                if not scope.is_in(node.body):
                    self._bindings.forget(node, scope)
                    return
            if self._round(node.body, scope):
                return
        raise Stopped

    def _round(self, body: list[ast.stmt], scope: Scope) -> bool:
        """Whether the loop was left."""
        try:
            self.block(body, scope)
        except _Continued:
            return False
        except _Broken:
            return True
        return False


def _loaded(target: ast.expr) -> ast.expr:
    """The target of `x += 1`, to be read."""
    return ast.parse(ast.unparse(target), mode="eval").body


def _leaves(body: list[ast.stmt]) -> bool:
    return bool(body) and isinstance(body[-1], ast.Raise | ast.Return | ast.Continue | ast.Break)
