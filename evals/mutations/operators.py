"""What an operator is made of: a parsed file, the edits that plant a fault, and the register of operators."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import NamedTuple, TypeVar

N = TypeVar("N", bound=ast.AST)
Placed = ast.expr | ast.stmt | ast.arg | ast.keyword
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
Function = ast.FunctionDef | ast.AsyncFunctionDef


class Edit(NamedTuple):
    """Bytes of a file from `start` to `end`, and the text in their place."""

    start: int
    end: int
    text: str


class Change(NamedTuple):
    """One way to plant a fault: the line where the reader sees it, and the edits."""

    line: int
    edits: tuple[Edit, ...]


class Operator(NamedTuple):
    """`accepts` are the pitfalls that name the fault, `sees` the words one of which a file must have."""

    name: str
    accepts: frozenset[str]
    sees: tuple[bytes, ...]
    places: Callable[[File], Iterator[Change]]


OPERATORS: dict[str, Operator] = {}


def plants(
    name: str, accepts: str, sees: str = ""
) -> Callable[[Callable[[File], Iterator[Change]]], Callable[[File], Iterator[Change]]]:
    """Registers an operator; `accepts` and `sees` are words with spaces between."""

    def register(
        places: Callable[[File], Iterator[Change]],
    ) -> Callable[[File], Iterator[Change]]:
        words = tuple(word.encode() for word in sees.split())
        OPERATORS[name] = Operator(name, frozenset(accepts.split()), words, places)
        return places

    return register


class File:
    """A parsed file. Offsets are in bytes, as those of `ast`. Raises SyntaxError or ValueError."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.root = ast.parse(data)
        self.parent: dict[ast.AST, ast.AST] = {}
        self._of: dict[type[ast.AST], list[ast.AST]] = defaultdict(list)
        for node in ast.walk(self.root):
            self._of[type(node)].append(node)
            for child in ast.iter_child_nodes(node):
                self.parent[child] = node

    @cached_property
    def _starts(self) -> list[int]:
        starts = [0]
        for line in self.data.splitlines(keepends=True):
            starts.append(starts[-1] + len(line))
        return starts

    def of(self, kind: type[N]) -> list[N]:
        """The nodes of a type."""
        return self._of[kind]  # type: ignore[return-value]

    def below(self, node: ast.AST, *kinds: type[N]) -> list[N]:
        """The nodes of some types below a node, in no order."""
        return [n for n in ast.walk(node) if n is not node and isinstance(n, kinds)]

    def above(self, node: ast.AST, *kinds: type[N]) -> N | None:
        """The nearest ancestor of one of these types."""
        up = self.parent.get(node)
        while up is not None and not isinstance(up, kinds):
            up = self.parent.get(up)
        return up

    def function(self, node: ast.AST) -> Function | None:
        return self.above(node, *FUNCTIONS)

    def siblings(self, statement: ast.AST) -> tuple[list[ast.stmt], int]:
        """The block that a statement is in, and its place there."""
        above = self.parent[statement]
        for name in ("body", "orelse", "finalbody"):
            block = getattr(above, name, None)
            if isinstance(block, list) and statement in block:
                return block, block.index(statement)
        return [], -1

    def start(self, node: Placed) -> int:
        return self._starts[node.lineno - 1] + node.col_offset

    def end(self, node: Placed) -> int:
        line, column = node.end_lineno or node.lineno, node.end_col_offset or 0
        return self._starts[line - 1] + column

    def text(self, node: ast.expr | ast.stmt) -> str:
        return self.data[self.start(node) : self.end(node)].decode("utf8", "replace")

    def replace(self, node: ast.expr | ast.stmt | ast.keyword, text: str) -> Edit:
        return Edit(self.start(node), self.end(node), text)

    def remove(self, statement: ast.stmt) -> Edit:
        """Takes a statement out of a block, with what is between it and the next."""
        block, at = self.siblings(statement)
        if at + 1 < len(block):
            return Edit(self.start(statement), self.start(block[at + 1]), "")
        return self.replace(statement, "pass")

    def remove_argument(self, call: ast.Call, given: ast.expr | ast.keyword) -> Edit:
        """Takes an argument out of a call, with the comma before or behind it."""
        every = sorted([*call.args, *call.keywords], key=self.start)
        at = every.index(given)
        if at:
            return Edit(self.end(every[at - 1]), self.end(given), "")
        return Edit(
            self.start(given), self.start(every[1]) if len(every) > 1 else self.end(given), ""
        )

    def indent(self, statement: ast.stmt) -> str:
        return " " * statement.col_offset

    def loads(self, name: str, within: ast.AST) -> list[ast.Name]:
        """Where a name is read in a node."""
        names = [n for n in ast.walk(within) if isinstance(n, ast.Name)]
        return [n for n in names if n.id == name and isinstance(n.ctx, ast.Load)]

    def attributes(self, name: str, within: ast.AST | None = None) -> list[ast.Attribute]:
        """The attributes of a name, `self.name`."""
        every = self.of(ast.Attribute) if within is None else self.below(within, ast.Attribute)
        return [n for n in every if n.attr == name]


def is_self(node: ast.AST, name: str = "") -> bool:
    """Whether a node is an attribute of `self`, of that name if one is given."""
    owned = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
    return owned and node.value.id == "self" and name in ("", node.attr)  # type: ignore[attr-defined]


def applied(data: bytes, change: Change) -> bytes:
    """The text of a file with a fault planted."""
    for edit in sorted(change.edits, reverse=True):
        data = data[: edit.start] + edit.text.encode() + data[edit.end :]
    return data
