"""Live variables of one function: which stores of local names reach no read.

A set of names is an integer with a bit for each: every statement has one, and most are joined from others.
"""

from __future__ import annotations

import ast
import sys
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator
from functools import reduce
from itertools import compress
from operator import or_
from typing import Any

from keng.source.tree import FUNCTIONS, Function, Tree

NESTED = (*FUNCTIONS, ast.Lambda, ast.ClassDef)
REFLECTIVE = frozenset({"locals", "vars", "eval", "exec", "globals", "dir"})
PLACES = (ast.Attribute, ast.Subscript)
"""Targets that store no name."""
ROUNDS = 4
"""Passes over a loop; what is live at its head grows in each and settles after two or three."""
NONE = 0
"""The empty set."""


class Bits(dict[str, int]):
    """Of each name, its bit."""

    def __missing__(self, name: str) -> int:
        self[name] = 1 << len(self)
        return self[name]


class NamesByPlace:
    """The names of one file as sets, by where they are read and mentioned."""

    def __init__(self, tree: Tree) -> None:
        self._range_of = tree.range_of
        bits = Bits()
        self.bit = bits.__getitem__
        _, self._places = tree.numbered(ast.Name)
        self._mentioned = [bits[id] for id in tree.name_ids]
        is_read = [context is not ast.Store for context in tree.name_contexts]
        self._read = list(compress(self._mentioned, is_read))
        self._places_read = list(compress(self._places, is_read))

        self._reflects = not REFLECTIVE.isdisjoint(tree.names_by_id)
        shared = (*NESTED, ast.Global, ast.Nonlocal, ast.NamedExpr)
        self._sharing = sorted(number for kind in shared for number in tree.numbered(kind)[1])

    def may_be_shared(self, body: ast.AST) -> bool:
        """Whether a body has what shares names with it: nested functions, `global`, `:=`."""
        start, last = self._range_of(body)
        return bisect_right(self._sharing, start) < bisect_right(self._sharing, last)

    def reflects(self, body: ast.AST) -> bool:
        """Whether a body mentions what asks for variables by their names."""
        return self._reflects and bool(self.mentioned(body) & self.all(REFLECTIVE))

    def all(self, names: Iterable[str]) -> int:
        return reduce(or_, map(self.bit, names), NONE)

    def read(self, node: ast.AST) -> int:
        """The names that an expression or a simple statement reads; a deleted name counts as read."""
        if type(node) is ast.Name:
            return NONE if type(node.ctx) is ast.Store else self.bit(node.id)
        start, last = self._range_of(node)
        first = bisect_left(self._places_read, start)
        end = bisect_right(self._places_read, last, first)
        if end - first < 2:
            return self._read[first] if end > first else NONE
        return reduce(or_, self._read[first:end])

    def mentioned(self, node: ast.AST) -> int:
        """The names below a node, those that are given a value too."""
        start, last = self._range_of(node)
        first = bisect_left(self._places, start)
        return reduce(or_, self._mentioned[first : bisect_right(self._places, last, first)], NONE)


class Liveness:
    """Backward analysis of a function's body, or of a module's.

    `unread` holds the stores whose value no path reads, `ignored` the parameters whose value none reads.
    Names that a nested function reads, that are global, or that the module keeps at its end count as read.
    Nothing is reported of a body that asks for its own variables (`locals()`).
    """

    def __init__(self, tree: Tree, body: ast.Module | Function, names: NamesByPlace) -> None:
        self._tree = tree
        self._names = names
        self._bit = names.bit
        self._reads = names.read
        self._always = self._captured(body)
        self._loops: list[tuple[int, int]] = []
        self._raised: list[int] = []
        self._read = set[ast.Name]()
        self._stored: dict[ast.Name, None] = {}
        at_end = names.mentioned(body) if isinstance(body, ast.Module) else NONE
        at_start = self._block(body.body, at_end)
        silent = names.reflects(body)
        self.unread = [] if silent else [n for n in self._stored if n not in self._read]
        live = at_start | self._always
        given = [] if silent else parameters(body)
        self.ignored = [each for each in given if not self._bit(each.arg) & live]

    def _block(self, body: list[ast.stmt], after: int) -> int:
        raised = self._left() if self._raised else NONE
        handler_of, reads = STATEMENTS.get, self._reads
        for statement in reversed(body):
            after |= raised
            handler = handler_of(type(statement))
            after = handler(self, statement, after) if handler else after | reads(statement)
        return after

    def _assign(self, node: ast.Assign, after: int) -> int:
        target = node.targets[0]
        if len(node.targets) == 1 and type(target) is ast.Name:  # most are so
            bit = self._store(target, after)
            return after & ~bit | self._reads(node.value)
        if len(node.targets) == 1 and type(target) in PLACES:
            return after | self._reads(node)
        return self._assigned(node.targets, node.value, after)

    def _annotated(self, node: ast.AnnAssign, after: int) -> int:
        if node.value is None:
            return after | self._reads(node)
        return self._assigned([node.target], node.value, after)

    def _augmented(self, node: ast.AugAssign, after: int) -> int:
        if not isinstance(node.target, ast.Name):
            return after | self._reads(node)
        self._store(node.target, after)
        return after | self._bit(node.target.id) | self._reads(node.value)

    def _if(self, node: ast.If, after: int) -> int:
        arms = self._block(node.body, after) | self._block(node.orelse, after)
        return arms | self._reads(node.test)

    def _return(self, node: ast.Return, after: int) -> int:
        return self._left() | (self._reads(node.value) if node.value else NONE)

    def _raise(self, node: ast.Raise, after: int) -> int:
        return self._left() | self._reads(node)

    def _leave_round(self, node: ast.Break | ast.Continue, after: int) -> int:
        if not self._loops:
            return after
        return self._left() | self._loops[-1][isinstance(node, ast.Continue)]

    def _match(self, node: ast.Match, after: int) -> int:
        cases = (self._case(each, after) for each in node.cases)
        return reduce(or_, cases, after | self._reads(node.subject))

    def _define(self, node: ast.stmt, after: int) -> int:
        return after | self._always

    def _left(self) -> int:
        """The names that are live where a block is left early: what handlers and `finally` around it read."""
        return reduce(or_, self._raised, NONE)

    def _case(self, case: ast.match_case, after: int) -> int:
        guard = self._reads(case.guard) if case.guard else NONE
        return guard | self._reads(case.pattern) | self._block(case.body, after)

    def _assigned(self, targets: list[ast.expr], value: ast.expr, after: int) -> int:
        before = after
        for target in targets:
            for name in _names_stored(target):
                self._store(name, after)
                before &= ~self._bit(name.id)
        for target in targets:
            before |= self._reads(target)
        return before | self._reads(value)

    def _store(self, name: ast.Name, after: int) -> int:
        """Notes a store, and whether a path reads it; the bit of its name."""
        self._stored[name] = None
        bit = self._bit(name.id)
        if bit & (after | self._always):
            self._read.add(name)
        return bit

    def _loop(self, node: ast.For | ast.AsyncFor | ast.While, after: int) -> int:
        endless = isinstance(node, ast.While) and isinstance(node.test, ast.Constant)
        head = NONE if endless else self._block(node.orelse, after)
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

    def _bound(self, target: ast.expr, after: int) -> int:
        for name in _names_stored(target):
            self._read.add(name)  # a loop has to name what it goes over
            after &= ~self._bit(name.id)
        return after | self._reads(target)

    def _with(self, node: ast.With | ast.AsyncWith, after: int) -> int:
        live = self._block(node.body, after)
        for item in reversed(node.items):
            if item.optional_vars is not None:
                live = self._bound(item.optional_vars, live)
            live |= self._reads(item.context_expr)
        return live

    def _try(self, node: ast.Try, after: int) -> int:
        last = self._block(node.finalbody, after)
        self._raised.append(last if node.finalbody else NONE)
        caught = reduce(or_, [self._block(h.body, last) for h in node.handlers], NONE)
        done = self._block(node.orelse, last)
        self._raised.append(caught)
        body = self._block(node.body, done)
        self._raised.pop()
        self._raised.pop()
        return body | caught | last

    def _captured(self, body: ast.AST) -> int:
        """The names that nested functions mention or that are shared with an outer scope."""
        if not self._names.may_be_shared(body):
            return NONE
        within = self._tree.descendants
        found, end = NONE, -1
        for nested in within(body, *NESTED):
            start, last = self._tree.range_of(nested)
            if start > end:  # else it is nested in one before
                found, end = found | self._names.mentioned(nested), last
        shared: list[ast.Global | ast.Nonlocal] = [*within(body, ast.Global)]
        for each in [*shared, *within(body, ast.Nonlocal)]:
            found |= self._names.all(each.names)
        for inner in within(body, ast.NamedExpr):
            found |= self._bit(inner.target.id)
        return found


STATEMENTS: dict[type[ast.stmt], Callable[[Liveness, Any, int], int]] = {
    ast.Assign: Liveness._assign,
    ast.AnnAssign: Liveness._annotated,
    ast.AugAssign: Liveness._augmented,
    ast.If: Liveness._if,
    ast.For: Liveness._loop,
    ast.AsyncFor: Liveness._loop,
    ast.While: Liveness._loop,
    ast.With: Liveness._with,
    ast.AsyncWith: Liveness._with,
    ast.Try: Liveness._try,
    ast.Return: Liveness._return,
    ast.Raise: Liveness._raise,
    ast.Break: Liveness._leave_round,
    ast.Continue: Liveness._leave_round,
    ast.Match: Liveness._match,
    ast.FunctionDef: Liveness._define,
    ast.AsyncFunctionDef: Liveness._define,
    ast.ClassDef: Liveness._define,
}
"""Other statements only read names."""
if sys.version_info >= (3, 11):
    STATEMENTS[ast.TryStar] = Liveness._try


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
