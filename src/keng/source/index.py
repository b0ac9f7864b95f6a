"""The first layer: one walk over a file, and places in it."""

from __future__ import annotations

import ast
import sys
from array import array
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar, cast

from keng.model import Span
from keng.source.text import Source

if TYPE_CHECKING:
    from keng.source.code import Code
    from keng.source.project import Project

N = TypeVar("N", bound=ast.AST)
Function = ast.FunctionDef | ast.AsyncFunctionDef
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
LOOPS = (ast.For, ast.AsyncFor, ast.While)
# Fields that hold no node worth a visit: texts, contexts and operators, which are singletons.
DULL = frozenset(
    "ctx op ops type_comment type_ignores kind id attr arg level asname module conversion simple is_async "
    "rest kwd_attrs name str".split()
)


class Fields(dict[type[ast.AST], tuple[str, ...]]):
    """Of each type of nodes, the fields that may hold nodes."""

    def __missing__(self, kind: type[ast.AST]) -> tuple[str, ...]:
        self[kind] = tuple(name for name in kind._fields if name not in DULL)
        return self[kind]


FIELDS = Fields(dict.fromkeys((ast.Constant, ast.Global, ast.Nonlocal, ast.MatchSingleton), ()))
if sys.version_info >= (3, 12):
    FIELDS[ast.TypeAlias] = ast.TypeAlias._fields
WITH_GAPS = frozenset((ast.Dict, ast.arguments))
"""Nodes with lists in which None stands for what is not there."""


class Index:
    """Nodes by type in source order, parents, and the text and place of a node."""

    def __init__(self, source: Source, tree: ast.Module, project: Project, module: str) -> None:
        self.source = source
        self.path = source.path
        self.text = source.text
        self.data = source.data
        self.tree = tree
        self.project = project
        self.module = module
        self.parent: dict[ast.AST, ast.AST] = {}
        self._order: list[ast.AST] = []
        self._nodes: defaultdict[type[ast.AST], list[ast.AST]] = defaultdict(list)
        self._numbered: dict[type[ast.AST], array[int]] = {}
        self._walk()

    def _walk(self) -> None:
        """In source order, operators and contexts left out."""
        nodes, parent, order = self._nodes, self.parent, self._order
        stack: list[ast.AST] = [self.tree]
        while stack:
            node = stack.pop()
            order.append(node)
            nodes[type(node)].append(node)
            if not (fields := FIELDS[type(node)]):
                continue
            below: list[ast.AST] = []
            for name in fields:
                value = getattr(node, name, None)
                if type(value) is list:
                    below += value
                elif value is not None:
                    below.append(value)
            if type(node) in WITH_GAPS:
                below = [item for item in below if item is not None]
            for item in below:
                parent[item] = node
            below.reverse()
            stack += below

    @property
    def me(self) -> Code:
        """This object with all its layers."""
        return cast("Code", self)

    def of(self, *types: type[N]) -> list[N]:
        """All nodes of these (concrete) types; of one type in source order."""
        found: list[ast.AST] = []
        for kind in types:
            found += self._nodes.get(kind, ())
        return cast("list[N]", found)

    def on_line(self, line: int, kind: type[N]) -> list[N]:
        """The nodes of a type that a line lies in, the outer first."""
        return [n for n in self.of(kind) if self._covers(n, line)]

    def _covers(self, node: ast.AST, line: int) -> bool:
        return getattr(node, "lineno", 0) <= line <= getattr(node, "end_lineno", 0)

    def ancestors(self, node: ast.AST) -> Iterator[ast.AST]:
        """Parents, nearest first."""
        above = self.parent.get(node)
        while above is not None:
            yield above
            above = self.parent.get(above)

    def around(self, node: ast.AST, *types: type[N]) -> N | None:
        """The nearest ancestor of one of these types."""
        above = self.parent.get(node)
        while above is not None and not isinstance(above, types):
            above = self.parent.get(above)
        return above

    def function_around(self, node: ast.AST) -> Function | None:
        """The function or method that a node stands in."""
        known, parent = self._functions, self.parent
        if node in known:
            return known[node]
        passed, above = [node], parent.get(node)
        while above is not None and type(above) not in FUNCTIONS and above not in known:
            passed.append(above)
            above = parent.get(above)
        found = above if above is None or type(above) in FUNCTIONS else known[above]
        known |= dict.fromkeys(passed, cast("Function | None", found))
        return known[node]

    @cached_property
    def _functions(self) -> dict[ast.AST, Function | None]:
        return {}

    def body_around(self, node: ast.AST) -> Function | ast.Module:
        """The function that a node stands in, or else the module."""
        return self.function_around(node) or self.tree

    def class_around(self, node: ast.AST) -> ast.ClassDef | None:
        return self.around(node, ast.ClassDef)

    def statement(self, node: ast.AST) -> ast.stmt:
        """The statement that a node belongs to."""
        if isinstance(node, ast.stmt):
            return node
        found = self.around(node, ast.stmt)
        assert found is not None, "every expression stands in a statement"
        return found

    def within(self, node: ast.AST, outer: ast.AST) -> bool:
        return node is outer or any(above is outer for above in self.ancestors(node))

    def below(self, node: ast.AST, *types: type[N]) -> list[N]:
        """Descendants of these (concrete) types, the node itself left out, in source order."""
        start, last = self._place_of[node], self._place_of[last_within(node)]
        found: list[int] = []
        for kind in types:
            numbers = self._numbers(kind)
            found += numbers[bisect_right(numbers, start) : bisect_right(numbers, last)]
        if len(types) > 1:
            found.sort()
        return cast("list[N]", [self._order[n] for n in found])

    @cached_property
    def _place_of(self) -> dict[ast.AST, int]:
        """Of every node in source order."""
        return dict(zip(self._order, range(len(self._order)), strict=True))

    def _numbers(self, kind: type[ast.AST]) -> array[int]:
        if kind not in self._numbered:
            number = self._place_of
            self._numbered[kind] = array("L", [number[n] for n in self._nodes.get(kind, ())])
        return self._numbered[kind]

    def position(self, node: ast.AST) -> tuple[int, int]:
        return (getattr(node, "lineno", 0), getattr(node, "col_offset", 0))

    def bounds(self, node: ast.AST) -> tuple[int, int]:
        """Byte offsets of a node."""
        there = cast(ast.expr, node)
        assert there.end_lineno is not None
        assert there.end_col_offset is not None
        return (
            self.source.offset(there.lineno, there.col_offset),
            self.source.offset(there.end_lineno, there.end_col_offset),
        )

    def line_of(self, node: ast.AST | None) -> int | None:
        """The line of a node, where it stands in this file."""
        return self.position(node)[0] if node is not None and node in self.parent else None

    def text_of(self, node: ast.AST) -> str:
        start, end = self.bounds(node)
        return self.data[start:end].decode("utf-8")

    def span(self, node: ast.AST) -> Span:
        return self.source.span(*self.bounds(node))


def part_at(value: ast.expr | None, path: tuple[int, ...]) -> ast.expr | None:
    """What stands at a place of a tuple that is written out; None where it is none."""
    for at in path:
        value = value.elts[at] if isinstance(value, ast.Tuple) and at < len(value.elts) else None
    return value


def names_in(node: ast.AST) -> set[str]:
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}


def bound_in(block: ast.AST) -> set[str]:
    """The names that something below a node is given."""
    inside = (n for n in ast.walk(block) if isinstance(n, ast.Name))
    return {name.id for name in inside if isinstance(name.ctx, ast.Store)}


def last_within(node: ast.AST) -> ast.AST:
    """The last in source order of a node and all below it."""
    inner: ast.AST | None = node
    while inner is not None:
        node, inner = inner, _last_child(inner)
    return node


def _last_child(node: ast.AST) -> ast.AST | None:
    for name in reversed(FIELDS[type(node)]):
        value = getattr(node, name, None)
        for item in reversed(value) if type(value) is list else (value,):
            if isinstance(item, ast.AST):
                return item
    return None
