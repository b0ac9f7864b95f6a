"""Live variables of one function: which stores of local names reach no read."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from typing import cast

from keng.source.tree import FUNCTIONS, Function, Tree

NESTED = (*FUNCTIONS, ast.Lambda, ast.ClassDef)
REFLECTIVE = frozenset({"locals", "vars", "eval", "exec", "globals", "dir"})
TRIES = (ast.Try, vars(ast)["TryStar"]) if sys.version_info >= (3, 11) else (ast.Try,)
ROUNDS = 4
"""Passes over a loop; what is live at its head grows in each and settles after two or three."""


class Liveness:
    """Backward analysis of a function's body, or of a module's.

    `unread` holds the stores whose value no path reads, `ignored` the parameters whose value none reads.
    Names that a nested function reads, that are global, or that the module keeps at its end count as read.
    Nothing is reported of a body that asks for its own variables (`locals()`).
    """

    def __init__(self, tree: Tree, body: ast.Module | Function) -> None:
        self._tree = tree
        self._always = set(self._captured(body))
        self._loops: list[tuple[set[str], set[str]]] = []
        self._raised: list[set[str]] = []
        self._read = set[ast.Name]()
        self._stored: dict[ast.Name, None] = {}
        names = tree.descendants(body, ast.Name)
        kept = {name.id for name in names} if isinstance(body, ast.Module) else set[str]()
        at_start = self._block(body.body, kept)
        silent = any(name.id in REFLECTIVE for name in names)
        self.unread = [] if silent else [n for n in self._stored if n not in self._read]
        self.ignored = [] if silent else list(self._unread_parameters(body, at_start))

    def _unread_parameters(self, body: ast.AST, live: set[str]) -> Iterator[ast.arg]:
        for argument in parameters(body):
            if argument.arg not in live and argument.arg not in self._always:
                yield argument

    def _block(self, body: list[ast.stmt], after: set[str]) -> set[str]:
        for statement in reversed(body):
            for raised in self._raised:
                after = after | raised
            after = self._statement(statement, after)
        return after

    def _statement(self, node: ast.stmt, after: set[str]) -> set[str]:
        match node:
            case ast.Assign(targets=targets, value=value):
                return self._assigned(targets, value, after)
            case ast.AnnAssign(target=target, value=value) if value is not None:
                return self._assigned([target], value, after)
            case ast.AugAssign(target=ast.Name() as name, value=value):
                self._store(name, after)
                return after | {name.id} | self._reads(value)
            case ast.If(test=test, body=body, orelse=orelse):
                return self._reads(test) | self._block(body, after) | self._block(orelse, after)
            case ast.For() | ast.AsyncFor() | ast.While():
                return self._loop(node, after)
            case ast.With(items=items, body=body) | ast.AsyncWith(items=items, body=body):
                return self._with(items, body, after)
            case _ if isinstance(node, TRIES):
                return self._try(cast(ast.Try, node), after)
            case ast.Return(value=value):
                return self._left() | (self._reads(value) if value else set())
            case ast.Raise():
                return self._left() | self._reads(node)
            case ast.Break() | ast.Continue() if self._loops:
                return self._left() | self._loops[-1][isinstance(node, ast.Continue)]
            case ast.Match(subject=subject, cases=cases):
                return self._reads(subject).union(
                    after, *(self._case(each, after) for each in cases)
                )
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                return after | self._always
        return after | self._reads(node)

    def _left(self) -> set[str]:
        """What is live where a block is left early: what handlers and `finally` around it read."""
        return set[str]().union(*self._raised)

    def _case(self, case: ast.match_case, after: set[str]) -> set[str]:
        guard = self._reads(case.guard) if case.guard else set[str]()
        return guard | self._reads(case.pattern) | self._block(case.body, after)

    def _assigned(self, targets: list[ast.expr], value: ast.expr, after: set[str]) -> set[str]:
        before = set(after)
        for target in targets:
            for name in _names_stored(target):
                self._store(name, after)
                before.discard(name.id)
        return before.union(self._reads(value), *map(self._reads, targets))

    def _store(self, name: ast.Name, after: set[str]) -> None:
        self._stored[name] = None
        if name.id in after or name.id in self._always:
            self._read.add(name)

    def _loop(self, node: ast.For | ast.AsyncFor | ast.While, after: set[str]) -> set[str]:
        endless = isinstance(node, ast.While) and isinstance(node.test, ast.Constant)
        done = set[str]() if endless else self._block(node.orelse, after)
        head = set(done)
        for _ in range(ROUNDS):
            self._loops.append((after, head))
            inside = self._block(node.body, head)
            self._loops.pop()
            if isinstance(node, ast.While):
                grown = head | inside | self._reads(node.test)
            else:
                grown = head | self._bound(node.target, inside)
            if grown == head:
                break
            head = grown
        return head if isinstance(node, ast.While) else head | self._reads(node.iter)

    def _bound(self, target: ast.expr, after: set[str]) -> set[str]:
        names = set(_names_stored(target))
        for name in names:
            self._read.add(name)  # a loop has to name what it goes over
        return (after - {name.id for name in names}) | self._reads(target)

    def _with(self, items: list[ast.withitem], body: list[ast.stmt], after: set[str]) -> set[str]:
        live = self._block(body, after)
        for item in reversed(items):
            if item.optional_vars is not None:
                live = self._bound(item.optional_vars, live)
            live = live | self._reads(item.context_expr)
        return live

    def _try(self, node: ast.Try, after: set[str]) -> set[str]:
        last = self._block(node.finalbody, after)
        self._raised.append(last if node.finalbody else set())
        caught = set[str]().union(*(self._block(h.body, last) for h in node.handlers))
        done = self._block(node.orelse, last)
        self._raised.append(caught)
        body = self._block(node.body, done)
        self._raised.pop()
        self._raised.pop()
        return body | caught | last

    def _reads(self, node: ast.AST) -> set[str]:
        """The names that an expression or a simple statement reads; a deleted name counts as read."""
        if type(node) is ast.Name:
            return set() if type(node.ctx) is ast.Store else {node.id}
        names = self._tree.descendants(node, ast.Name)
        return {name.id for name in names if type(name.ctx) is not ast.Store}

    def _captured(self, body: ast.AST) -> Iterator[str]:
        """The names that nested functions mention or that are shared with an outer scope."""
        within = self._tree.descendants
        for nested in within(body, *NESTED):
            yield from (name.id for name in within(nested, ast.Name))
        declared: list[ast.Global | ast.Nonlocal] = [*within(body, ast.Global)]
        for each in [*declared, *within(body, ast.Nonlocal)]:
            yield from each.names
        for inner in within(body, ast.NamedExpr):
            yield inner.target.id


def parameters(function: ast.AST) -> list[ast.arg]:
    """The parameters of a function that have a name of their own; none of a module."""
    if not isinstance(function, FUNCTIONS):
        return []
    given = function.args
    return [*given.posonlyargs, *given.args, *given.kwonlyargs]


def _names_stored(target: ast.expr) -> Iterator[ast.Name]:
    match target:
        case ast.Name():
            yield target
        case ast.Tuple(elts=elements) | ast.List(elts=elements):
            for each in elements:
                yield from _names_stored(each)
        case ast.Starred(value=inner):
            yield from _names_stored(inner)
