"""The nodes of one parsed file: by type, by place, by what encloses them."""

from __future__ import annotations

import ast
import sys
from array import array
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property
from typing import Any, NamedTuple, TypeVar, cast

from keng.model import Span
from keng.source.native.tokens import NATIVE_ENDS
from keng.source.text import Source

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


class Definition(NamedTuple):
    """A class or function of the project."""

    tree: Tree
    node: ast.ClassDef | Function

    @property
    def name(self) -> str:
        return self.node.name


class Tree:
    """Nodes by type in source order, parents, and the text and place of a node. `root` is the parsed module,
    `module` its dotted name. `relevant` is False where the file does not reach torch: then it was not parsed.
    A file of C++ or CUDA has an empty root. `subjects` are the answers about this file, by what asks."""

    def __init__(
        self, source: Source, root: ast.Module, module: str, relevant: bool = True
    ) -> None:
        self.source = source
        self.path = source.path
        self.text = source.text
        self.data = source.data
        self.encoding = source.encoding
        self.bom = source.bom
        self.root = root
        self.module = module
        self.relevant = relevant
        self.parent: dict[ast.AST, ast.AST] = {}
        self.order: list[ast.AST] = []
        self.subjects: dict[object, Any] = {}
        self._nodes: defaultdict[type[ast.AST], list[ast.AST]] = defaultdict(list)
        self._numbered: dict[type[ast.AST], array[int]] = {}
        self._walk()

    def _walk(self) -> None:
        """In source order, operators and contexts left out."""
        nodes, parent, order = self._nodes, self.parent, self.order
        stack: list[ast.AST] = [self.root]
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

    def nodes(self, *types: type[N]) -> list[N]:
        """All nodes of these (concrete) types; of one type in source order."""
        found: list[ast.AST] = []
        for kind in types:
            found += self._nodes.get(kind, ())
        return cast("list[N]", found)

    def on_line(self, line: int, kind: type[N]) -> list[N]:
        """The nodes of a type that a line lies in, the outer first."""
        return [n for n in self.nodes(kind) if self.covers(n, line)]

    def covers(self, node: ast.AST, line: int) -> bool:
        return getattr(node, "lineno", 0) <= line <= getattr(node, "end_lineno", 0)

    def ancestors(self, node: ast.AST) -> Iterator[ast.AST]:
        """Parents, nearest first."""
        above = self.parent.get(node)
        while above is not None:
            yield above
            above = self.parent.get(above)

    def enclosing(self, node: ast.AST, *types: type[N]) -> N | None:
        """The nearest ancestor of one of these types."""
        above = self.parent.get(node)
        while above is not None and not isinstance(above, types):
            above = self.parent.get(above)
        return above

    def enclosing_function(self, node: ast.AST) -> Function | None:
        """The function or method that a node stands in."""
        known, parent = self._enclosing_functions, self.parent
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
    def _enclosing_functions(self) -> dict[ast.AST, Function | None]:
        return {}

    def enclosing_body(self, node: ast.AST) -> Function | ast.Module:
        """The function that a node stands in, or else the module."""
        return self.enclosing_function(node) or self.root

    def body_at(self, line: int) -> Function | ast.Module:
        """The innermost function that a line lies in, or else the module."""
        return max(
            self.on_line(line, ast.FunctionDef) + self.on_line(line, ast.AsyncFunctionDef),
            key=self.position,
            default=self.root,
        )

    def definition(self, qualname: str) -> ast.ClassDef | Function | None:
        """The first class or function of that `__qualname__`; None where the file has none."""
        path = [part for part in qualname.split(".") if part != "<locals>"]
        named: list[ast.ClassDef | Function] = [
            *self.nodes(ast.ClassDef),
            *self.nodes(ast.FunctionDef),
            *self.nodes(ast.AsyncFunctionDef),
        ]
        same = [n for n in named if n.name == path[-1] and self._path(n) == path]
        return min(same, key=self.position, default=None)

    def _path(self, node: ast.ClassDef | Function) -> list[str]:
        outer = (n for n in self.ancestors(node) if isinstance(n, (ast.ClassDef, *FUNCTIONS)))
        return [*reversed([n.name for n in outer]), node.name]

    def enclosing_class(self, node: ast.AST) -> ast.ClassDef | None:
        return self.enclosing(node, ast.ClassDef)

    def statement(self, node: ast.AST) -> ast.stmt:
        """The statement that a node belongs to."""
        if isinstance(node, ast.stmt):
            return node
        found = self.enclosing(node, ast.stmt)
        assert found is not None, "every expression stands in a statement"
        return found

    def within(self, node: ast.AST, outer: ast.AST) -> bool:
        return node is outer or any(above is outer for above in self.ancestors(node))

    def descendants(self, node: ast.AST, *types: type[N]) -> list[N]:
        """Descendants of these (concrete) types, the node itself left out, in source order."""
        start, last = self._place_of[node], self._end_of(node)
        found: list[int] = []
        for kind in types:
            numbers = self._numbers(kind)
            found += numbers[bisect_right(numbers, start) : bisect_right(numbers, last)]
        if len(types) > 1:
            found.sort()
        return cast("list[N]", [self.order[n] for n in found])

    @cached_property
    def _place_of(self) -> dict[ast.AST, int]:
        """Of every node in source order."""
        return dict(zip(self.order, range(len(self.order)), strict=True))

    def _end_of(self, node: ast.AST) -> int:
        """The place of the last node below a node, or its own."""
        if node not in self._ends:
            self._ends[node] = self._place_of[last_within(node)]
        return self._ends[node]

    @cached_property
    def _ends(self) -> dict[ast.AST, int]:
        return {}

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

    @cached_property
    def attributes_by_name(self) -> dict[str, list[ast.Attribute]]:
        found: dict[str, list[ast.Attribute]] = {}
        for attribute in self.nodes(ast.Attribute):
            found.setdefault(attribute.attr, []).append(attribute)
        return found

    def parameters(self, function: Function) -> list[ast.arg]:
        """The parameters of a function that may be given by position."""
        return [*function.args.posonlyargs, *function.args.args]

    def returns(self, function: ast.AST) -> list[ast.expr]:
        """What a function may return."""
        own = [
            r
            for r in self.descendants(function, ast.Return)
            if self.enclosing_function(r) is function
        ]
        return [r.value for r in own if r.value is not None]

    @cached_property
    def names_by_id(self) -> dict[str, list[ast.Name]]:
        found: dict[str, list[ast.Name]] = {}
        for name in self.nodes(ast.Name):
            found.setdefault(name.id, []).append(name)
        return found

    def is_text(self, node: ast.expr, text: str) -> bool:
        return isinstance(node, ast.Constant) and node.value == text

    def result_unused(self, call: ast.Call) -> bool:
        """Whether what a call gives is dropped."""
        return isinstance(self.parent[call], ast.Expr)

    def target_of(self, call: ast.Call) -> str:
        """The name or attribute that a call's result is given to."""
        above = self.parent[call]
        if isinstance(above, ast.Assign) and len(above.targets) == 1:
            target = above.targets[0]
            return ast.unparse(target) if isinstance(target, (ast.Name, ast.Attribute)) else ""
        return ""

    def is_conditional(self, node: ast.AST) -> bool:
        for above in self.ancestors(node):
            if isinstance(above, LOOPS):
                return False
            if isinstance(above, ast.If):
                return True
        return False

    @property
    def is_native(self) -> bool:
        return self.path.lower().endswith(NATIVE_ENDS)

    def receiver(self, call: ast.Call) -> ast.expr:
        """What a method is called on."""
        assert isinstance(call.func, ast.Attribute), "a method call has a receiver"
        return call.func.value


def part_at(value: ast.expr | None, path: tuple[int, ...]) -> ast.expr | None:
    """What stands at a place of a tuple that is written out; None where it is none."""
    for at in path:
        value = value.elts[at] if isinstance(value, ast.Tuple) and at < len(value.elts) else None
    return value


def member(node: ast.AST, names: list[str]) -> ast.ClassDef | Function | None:
    """A definition nested in another, by its path."""
    for name in names:
        inner = [d for d in getattr(node, "body", []) if getattr(d, "name", None) == name]
        if len(inner) != 1 or not isinstance(inner[0], (ast.ClassDef, *FUNCTIONS)):
            return None
        node = inner[0]
    return cast("ast.ClassDef | Function", node)


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
