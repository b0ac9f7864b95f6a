"""Edits of the source: texts to put in place, as byte ranges of the file."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import cast

from keng.model import Edit, Fix, Safety
from keng.source.names import Names, Scope
from keng.source.project.trees import Trees
from keng.source.tree import Tree

WHOLE = (ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.Constant)
"""Expressions of which an operator or a method takes the whole."""


class Edits:
    def __init__(self, tree: Tree, trees: Trees) -> None:
        self.tree = tree
        self.trees = trees
        self.names = trees.ask(Names, tree)

    def of(self, tree: Tree) -> Edits:
        """The same subject of another file."""
        return self if tree is self.tree else self.trees.ask(Edits, tree)

    def replace(self, node: ast.AST, text: str) -> Edit:
        return Edit(*self.tree.bounds(node), text)

    def insert(self, node: ast.AST, text: str) -> Edit:
        """Text right before a node."""
        start, _ = self.tree.bounds(node)
        return Edit(start, start, text)

    def rename_attribute(self, function: ast.expr, name: str) -> Edit:
        """Another method on the same object: `key.lstrip` becomes `key.removeprefix`."""
        assert isinstance(function, ast.Attribute), "only an attribute has a name to change"
        _, end = self.tree.bounds(function)
        return Edit(end - len(function.attr.encode()), end, name)

    def append(self, node: ast.AST, text: str) -> Edit:
        """Text right after a node; a method is called on the whole of it."""
        if text.startswith(".") and not isinstance(node, WHOLE):
            return self.replace(node, f"{self.parenthesized(node)}{text}")
        _, end = self.tree.bounds(node)
        return Edit(end, end, text)

    def parenthesized(self, node: ast.AST) -> str:
        """An expression as it is written, in brackets where a method would be called on a part of it."""
        text = self.tree.text_of(node)
        return text if isinstance(node, WHOLE) else f"({text})"

    def needs_no_parentheses(self, node: ast.expr) -> bool:
        """Whether what is around an expression takes the whole of it, however it is written."""
        above = self.tree.parent[node]
        given = isinstance(above, ast.Call) and node is not above.func
        return given or isinstance(above, (ast.Assign, ast.Return, ast.keyword, ast.Expr))

    def add_argument(self, call: ast.Call, text: str, title: str, safety: Safety = "unsafe") -> Fix:
        """A fix that adds an argument at the end of a call; its lines and comments stay as they are."""
        given = [*call.args, *(keyword.value for keyword in call.keywords)]
        if not given:
            end = self.tree.bounds(call)[1] - 1
            return Fix(title, (Edit(end, end, text),), safety)
        end = max(self._outer_end(node, call) for node in given)
        return Fix(title, (Edit(end, end, f", {text}"),), safety)

    def _outer_end(self, node: ast.AST, call: ast.Call) -> int:
        """The end of an argument with the parentheses around it."""
        opening = self.tree.bounds(call.func)[1]
        start, end = self.tree.bounds(node)
        before = self.tree.data[opening:start].rstrip()
        own = len(before) - len(before.rstrip(b"( \t\r\n"))
        opened = before[len(before) - own :].count(b"(") if own else 0
        first = not before[: len(before) - own].strip()
        for _ in range(opened - (1 if first else 0)):
            end = self.tree.data.index(b")", end) + 1
        return end

    def indentation(self, node: ast.AST) -> str:
        """The white space before the statement of a node."""
        line = self.tree.source.line(self.tree.statement(node).lineno)
        return line[: len(line) - len(line.lstrip())]

    @property
    def newline(self) -> str:
        return "\r\n" if b"\r\n" in self.tree.data else "\n"

    def starts_line(self, statement: ast.stmt) -> bool:
        """Whether nothing but white space stands before a statement on its line."""
        line = self.tree.source.line(statement.lineno).encode()
        return not line[: statement.col_offset].strip()

    def new_line_before(self, node: ast.AST, text: str) -> Edit | None:
        """A line of its own before the statement of a node; None where that shares its line."""
        statement = self.tree.statement(node)
        first = min([statement, *getattr(statement, "decorator_list", [])], key=lambda n: n.lineno)
        if not self.starts_line(statement):
            return None
        at = self.tree.source.offset(first.lineno, 0)
        return Edit(at, at, f"{self.indentation(statement)}{text}{self.newline}")

    def without_argument(self, call: ast.Call, keyword: ast.keyword) -> Edit:
        """A keyword argument taken out of a call, with the comma before or behind it."""
        start, end = self.tree.bounds(keyword)
        before = self.tree.data[:start].rstrip()
        if before.endswith(b","):
            return Edit(len(before) - 1, end, "")
        behind = self.tree.data[end : self.tree.bounds(call)[1]]
        comma = len(behind) - len(behind.lstrip(b" \t\r\n,"))
        return Edit(start, end + comma, "")

    def wrap(self, statement: ast.stmt, header: str) -> tuple[Edit, ...] | None:
        """The edits that put a statement under `header`: a line before it, and one more level of
        indentation on its lines, those inside strings left alone. None where it shares its lines."""
        last = statement.end_lineno or statement.lineno
        if not self.starts_line(statement) or self.followed(statement):
            return None
        step = "\t" if self.indentation(statement).endswith("\t") else "    "
        inside = self._lines_in_strings(statement)
        edits = [self.new_line_before(statement, header)]
        for number in range(statement.lineno, last + 1):
            if number not in inside and self.tree.source.line(number).strip():
                at = self.tree.source.offset(number, 0)
                edits.append(Edit(at, at, step))
        first = edits[0]
        assert first is not None, "a statement that starts its line has a line before it"
        return (Edit(first.start, first.end, first.text + step), *(e for e in edits[2:] if e))

    def followed(self, statement: ast.stmt) -> bool:
        """Whether another statement follows on a statement's last line."""
        line = self.tree.source.line(statement.end_lineno or statement.lineno).encode()
        rest = line[statement.end_col_offset or 0 :].strip()
        return bool(rest) and not rest.startswith(b"#")

    def _lines_in_strings(self, statement: ast.stmt) -> set[int]:
        found: set[int] = set()
        strings = self.tree.descendants(statement, ast.Constant, ast.JoinedStr)
        for node in cast("Iterator[ast.Constant | ast.JoinedStr]", strings):
            text = not isinstance(node, ast.Constant) or isinstance(node.value, (str, bytes))
            if text and node.end_lineno is not None:
                found |= set(range(node.lineno + 1, node.end_lineno + 1))
        return found

    def qualified_name(self, dotted: str, at: ast.AST) -> str | None:
        """How a place in this file can write a dotted name with what is imported there; None where
        it cannot."""
        written = [
            dotted.replace(binding.dotted, name, 1)
            for scope in self._scopes_at(at)
            for name, found in scope.bindings.items()
            for binding in found
            if binding.how == "import"
            and (dotted == binding.dotted or dotted.startswith(f"{binding.dotted}."))
        ]
        return min(written, key=len, default=None)

    def _scopes_at(self, node: ast.AST) -> Iterator[Scope]:
        """The scopes whose names a node sees, the inner first."""
        scope = self.names.scope_of(node)
        yield self.names.scopes[scope.node]
        while scope.node is not self.tree.root:
            scope = self.names.scope_of(scope.node)
            if not isinstance(scope.node, ast.ClassDef):
                yield self.names.scopes[scope.node]

    def dotted_as_written(self, node: ast.AST) -> str:
        """The dotted name that an expression spells through what is imported, not led to the place
        where torch has it today."""
        if isinstance(node, ast.Attribute):
            base = self.dotted_as_written(node.value)
            return f"{base}.{node.attr}" if base else ""
        if not isinstance(node, ast.Name):
            return ""
        dotted = {b.dotted if b.how == "import" else "" for b in self.names.bindings(node)}
        return dotted.pop() if len(dotted) == 1 else ""
