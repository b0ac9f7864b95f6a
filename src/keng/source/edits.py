"""The last layer: texts to put in place, as byte ranges of the file."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterator
from typing import cast

from keng.model import Edit, Fix, Safety, Span
from keng.source.feeding import Feeding
from keng.source.index import Function
from keng.source.names import Scope
from keng.source.values import MODULES, Kind

WHOLE = (ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.Constant)
"""Expressions of which an operator or a method takes the whole."""
OPERATIONS: dict[type, Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
}


class Edits(Feeding):
    def replace(self, node: ast.AST, text: str) -> Edit:
        return Edit(*self.bounds(node), text)

    def insert(self, node: ast.AST, text: str) -> Edit:
        """Text right before a node."""
        start, _ = self.bounds(node)
        return Edit(start, start, text)

    def rename_attribute(self, function: ast.expr, name: str) -> Edit:
        """Another method on the same object: `key.lstrip` becomes `key.removeprefix`."""
        assert isinstance(function, ast.Attribute), "only an attribute has a name to change"
        _, end = self.bounds(function)
        return Edit(end - len(function.attr.encode()), end, name)

    def append(self, node: ast.AST, text: str) -> Edit:
        """Text right after a node; a method is called on the whole of it."""
        if text.startswith(".") and not isinstance(node, WHOLE):
            return self.replace(node, f"{self.operand(node)}{text}")
        _, end = self.bounds(node)
        return Edit(end, end, text)

    def operand(self, node: ast.AST) -> str:
        """An expression as it is written, in brackets where a method would be called on a part of it."""
        text = self.text_of(node)
        return text if isinstance(node, WHOLE) else f"({text})"

    def is_taken_whole(self, node: ast.expr) -> bool:
        """Whether what is around an expression takes the whole of it, however it is written."""
        above = self.parent[node]
        given = isinstance(above, ast.Call) and node is not above.func
        return given or isinstance(above, (ast.Assign, ast.Return, ast.keyword, ast.Expr))

    def add_argument(self, call: ast.Call, text: str, title: str, safety: Safety = "unsafe") -> Fix:
        """A fix that adds an argument at the end of a call; its lines and comments stay as they are."""
        given = [*call.args, *(keyword.value for keyword in call.keywords)]
        if not given:
            end = self.bounds(call)[1] - 1
            return Fix(title, (Edit(end, end, text),), safety)
        end = max(self._outer_end(node, call) for node in given)
        return Fix(title, (Edit(end, end, f", {text}"),), safety)

    def _outer_end(self, node: ast.AST, call: ast.Call) -> int:
        """The end of an argument with the parentheses around it."""
        opening = self.bounds(call.func)[1]
        start, end = self.bounds(node)
        before = self.data[opening:start].rstrip()
        own = len(before) - len(before.rstrip(b"( \t\r\n"))
        opened = before[len(before) - own :].count(b"(") if own else 0
        first = not before[: len(before) - own].strip()
        for _ in range(opened - (1 if first else 0)):
            end = self.data.index(b")", end) + 1
        return end

    def bypass(self, call: ast.Call | None, title: str) -> Fix | None:
        """A fix that puts the input of an operation in its place; a layer in a Sequential becomes an
        Identity, so that the others keep their names. None where it stands in another file."""
        if call is None or call not in self.parent:
            return None
        layer = self.resolve(call.func)
        if layer.startswith("torch.nn.") and not layer.startswith("torch.nn.functional."):
            identity = self.spell("torch.nn.Identity", call)
            return Fix(title, (self.replace(call, f"{identity}()"),)) if identity else None
        given = self.argument(call, "input", position=0)
        method = (
            isinstance(call.func, ast.Attribute)
            and not layer
            and self.kind_of(call.func) is Kind.UNKNOWN
        )
        if method and isinstance(call.func, ast.Attribute):
            given = call.func.value
        return Fix(title, (self.replace(call, self.text_of(given)),)) if given is not None else None

    def made_last(self, last: ast.stmt) -> tuple[Fix | None, Span]:
        """A fix that returns what the last statement of a function gives a name, and its place."""
        if not isinstance(last, ast.Assign) or not isinstance(last.targets[0], ast.Name):
            return None, self.span(last)
        text = f"\n{' ' * last.col_offset}return {last.targets[0].id}"
        return Fix("Return what it computes", (self.append(last, text),)), self.span(last)

    def made_in_place(self) -> tuple[Span, Fix] | None:
        """Where the file makes its one layer that works in place, and how it is made without."""
        given = [(c, k.value) for c in self.of(ast.Call) for k in c.keywords if k.arg == "inplace"]
        made = [(call, value) for call, value in given if self.is_constant(value, True)]
        if len(made) != 1:
            return None
        (call, value) = made[0]
        return self.span(call), Fix("Keep what it is given", (self.replace(value, "False"),))

    def indentation(self, node: ast.AST) -> str:
        """The white space before the statement of a node."""
        line = self.source.line(self.statement(node).lineno)
        return line[: len(line) - len(line.lstrip())]

    @property
    def newline(self) -> str:
        return "\r\n" if b"\r\n" in self.data else "\n"

    def starts_line(self, statement: ast.stmt) -> bool:
        """Whether nothing but white space stands before a statement on its line."""
        line = self.source.line(statement.lineno).encode()
        return not line[: statement.col_offset].strip()

    def new_line_before(self, node: ast.AST, text: str) -> Edit | None:
        """A line of its own before the statement of a node; None where that shares its line."""
        statement = self.statement(node)
        first = min([statement, *getattr(statement, "decorator_list", [])], key=lambda n: n.lineno)
        if not self.starts_line(statement):
            return None
        at = self.source.offset(first.lineno, 0)
        return Edit(at, at, f"{self.indentation(statement)}{text}{self.newline}")

    def first_line_in(self, function: Function, text: str) -> Edit | None:
        """A line of its own before the first statement of a function, its docstring apart; None where
        that shares the line of another."""
        body = function.body
        if ast.get_docstring(function, clean=False) is None:
            return self.new_line_before(body[0], text)
        if len(body) > 1:
            return self.new_line_before(body[1], text)
        return None

    def swap_arguments(self, old: list[ast.keyword], text: str, title: str) -> Fix:
        """A fix that puts one argument in the place of several."""
        edits = [self.replace(old[0], text)]
        for keyword in old[1:]:
            start, end = self.bounds(keyword)
            edits.append(Edit(self.data.rindex(b",", 0, start), end, ""))
        return Fix(title, tuple(edits), "safe")

    def without_argument(self, call: ast.Call, keyword: ast.keyword) -> Edit:
        """A keyword argument taken out of a call, with the comma before or behind it."""
        start, end = self.bounds(keyword)
        before = self.data[:start].rstrip()
        if before.endswith(b","):
            return Edit(len(before) - 1, end, "")
        behind = self.data[end : self.bounds(call)[1]]
        comma = len(behind) - len(behind.lstrip(b" \t\r\n,"))
        return Edit(start, end + comma, "")

    def respelled(self, call: ast.Call, function: str) -> str | None:
        """A call of a function of torch.nn.functional on the same arguments; None where that cannot be
        written in this file, where the call stands in another, or is that of a module, whose arguments
        are told where it is made."""
        if call not in self.parent or self.kind_of(call.func) in MODULES:
            return None
        method = isinstance(call.func, ast.Attribute) and not self.resolve(call.func)
        name = self.spell(f"torch.nn.functional.{function}", call)
        given = self.data[self.bounds(call.func)[1] : self.bounds(call)[1]].decode()
        if isinstance(call.func, ast.Attribute) and (method or function == "log_softmax"):
            owner = self.text_of(call.func.value)
            if function == "log_softmax":
                return f"{owner}.{function}{given}"
            return f"{name}({owner})" if name and given == "()" else None
        return f"{name}{given}" if name else None

    def moved_after(self, statement: ast.stmt, other: ast.stmt) -> tuple[Edit, ...] | None:
        """The edits that take a statement from its lines and put it behind another, at the depth of
        that one; None where either shares its lines."""
        last, end = statement.end_lineno or statement.lineno, other.end_lineno or other.lineno
        alone = self.starts_line(statement) and not self._followed(statement)
        if not alone or statement.lineno != last or not self.starts_line(other):
            return None
        start, stop = (self.source.offset(n, 0) for n in (statement.lineno, last + 1))
        line = self.source.line(end)
        at = self.source.offset(end, 0) + len(line.rstrip("\r\n").encode())
        text = f"{self.newline}{self.indentation(other)}{self.text_of(statement)}"
        return Edit(start, stop, ""), Edit(at, at, text)

    def moved_before(self, statement: ast.stmt, other: ast.stmt) -> tuple[Edit, ...] | None:
        """The edits that take the one line of a statement, its comment with it, and put it before
        another statement, at the depth of that one; None where either shares its lines."""
        alone = self.starts_line(statement) and not self._followed(statement)
        if not alone or statement.lineno != statement.end_lineno or not self.starts_line(other):
            return None
        start, stop = (self.source.offset(statement.lineno + n, 0) for n in (0, 1))
        line = self.source.line(statement.lineno).strip()
        before = self.new_line_before(other, line)
        return (before, Edit(start, stop, "")) if before else None

    def wrap(self, statement: ast.stmt, header: str) -> tuple[Edit, ...] | None:
        """The edits that put a statement under `header`: a line before it, and one more level of
        indentation on its lines, those inside strings left alone. None where it shares its lines."""
        last = statement.end_lineno or statement.lineno
        if not self.starts_line(statement) or self._followed(statement):
            return None
        step = "\t" if self.indentation(statement).endswith("\t") else "    "
        inside = self._lines_in_strings(statement)
        edits = [self.new_line_before(statement, header)]
        for number in range(statement.lineno, last + 1):
            if number not in inside and self.source.line(number).strip():
                at = self.source.offset(number, 0)
                edits.append(Edit(at, at, step))
        first = edits[0]
        assert first is not None, "a statement that starts its line has a line before it"
        return (Edit(first.start, first.end, first.text + step), *(e for e in edits[2:] if e))

    def _followed(self, statement: ast.stmt) -> bool:
        """Whether another statement follows on a statement's last line."""
        line = self.source.line(statement.end_lineno or statement.lineno).encode()
        rest = line[statement.end_col_offset or 0 :].strip()
        return bool(rest) and not rest.startswith(b"#")

    def _lines_in_strings(self, statement: ast.stmt) -> set[int]:
        found: set[int] = set()
        strings = self.below(statement, ast.Constant, ast.JoinedStr)
        for node in cast("Iterator[ast.Constant | ast.JoinedStr]", strings):
            text = not isinstance(node, ast.Constant) or isinstance(node.value, (str, bytes))
            if text and node.end_lineno is not None:
                found |= set(range(node.lineno + 1, node.end_lineno + 1))
        return found

    def spell(self, dotted: str, at: ast.AST) -> str | None:
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
        scope = self.scope_of(node)
        yield self.scopes[scope.node]
        while scope.node is not self.tree:
            scope = self.scope_of(scope.node)
            if not isinstance(scope.node, ast.ClassDef):
                yield self.scopes[scope.node]


def whole_number(node: ast.expr) -> int | None:
    """The value of an expression of plain numbers (`8 * 26 * 26`)."""
    match node:
        case ast.Constant(value=int(number)):
            return number
        case ast.BinOp(
            left=left, op=ast.Add() | ast.Sub() | ast.Mult() | ast.FloorDiv() as op, right=right
        ):
            one, other = whole_number(left), whole_number(right)
            if one is None or other is None or (isinstance(op, ast.FloorDiv) and other == 0):
                return None
            return OPERATIONS[type(op)](one, other)
    return None
