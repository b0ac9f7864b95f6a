"""A file as its lines and statements, for operators that remove, move, wrap or replace whole statements."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import NamedTuple

from evals.mutations.operators import FUNCTIONS, Change, Edit, File, Function, plants

LOOPS = (ast.For, ast.AsyncFor, ast.While)
Place = ast.expr | ast.stmt
OPTIMIZER = re.compile(r"optim|(^|[._])opt|scaler", re.IGNORECASE)


class Mutant(NamedTuple):
    """The line where a fault is planted, and the whole text of the file with it."""

    line: int
    text: str


Operator = Callable[["Text"], Iterator[Mutant | None]]


def plants_in_text(name: str, accepts: str, sees: str = "") -> Callable[[Operator], Operator]:
    """Registers an operator on texts; where it gives None, the change cannot be written."""

    def register(operator: Operator) -> Operator:
        def changes(file: File) -> Iterator[Change]:
            text = read(file.data)
            for mutant in operator(text):
                if mutant is not None and mutant.text != text.text:
                    yield Change(mutant.line, (_edit(file.data, mutant.text.encode()),))

        plants(name, accepts, sees)(changes)
        return operator

    return register


def _edit(before: bytes, after: bytes) -> Edit:
    """The one edit that makes a text of another."""
    shorter = min(len(before), len(after))
    start = next((n for n in range(shorter) if before[n] != after[n]), shorter)
    most = shorter - start
    end = next((n for n in range(most) if before[-1 - n] != after[-1 - n]), most)
    while start and (before[start] & 0xC0) == 0x80:
        start -= 1
    while end and (before[len(before) - end] & 0xC0) == 0x80:
        end -= 1
    return Edit(start, len(before) - end, after[start : len(after) - end].decode())


@lru_cache(maxsize=2)
def read(data: bytes) -> Text:
    """Raises ValueError for what is not UTF-8 with line feeds."""
    if b"\r" in data or b"\f" in data:
        raise ValueError("other ends of lines")
    return Text(data.decode("utf8"))


class Text:
    def __init__(self, text: str) -> None:
        self.text = text
        self.root = ast.parse(text)
        self.lines = text.splitlines(keepends=True)
        self.parent: dict[ast.AST, ast.AST] = {}
        for node in ast.walk(self.root):
            for child in ast.iter_child_nodes(node):
                self.parent[child] = node
        self.calls = [n for n in ast.walk(self.root) if isinstance(n, ast.Call)]
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line))

    def offset(self, line: int | None, column: int | None) -> int:
        """The place in the text of a line and a column in bytes."""
        assert line is not None, "parsed nodes have lines"
        row = self.lines[line - 1] if line <= len(self.lines) else ""
        return self.starts[line - 1] + len(row.encode()[: column or 0].decode(errors="ignore"))

    def bounds(self, node: Place) -> tuple[int, int]:
        start = self.offset(node.lineno, node.col_offset)
        return start, self.offset(node.end_lineno, node.end_col_offset)

    def source(self, node: ast.AST) -> str:
        start, end = self.bounds(node)  # type: ignore[arg-type]
        return self.text[start:end]

    def replaced(self, *pairs: tuple[Place, str]) -> Mutant:
        """Other text in place of some nodes."""
        text = self.text
        for node, new in sorted(pairs, key=lambda pair: self.bounds(pair[0]), reverse=True):
            start, end = self.bounds(node)
            text = text[:start] + new + text[end:]
        return Mutant(min(node.lineno for node, _ in pairs), text)

    def above(self, node: ast.AST) -> Iterator[ast.AST]:
        while node in self.parent:
            node = self.parent[node]
            yield node

    def function(self, node: ast.AST) -> Function | ast.Module:
        """The function around a node, or the file."""
        found = (a for a in self.above(node) if isinstance(a, FUNCTIONS))
        return next(found, self.root)

    def name_of_function(self, node: ast.AST) -> str:
        return getattr(self.function(node), "name", "")

    def loop(self, node: ast.AST) -> ast.For | ast.AsyncFor | ast.While | None:
        """The innermost loop of the same function around a node."""
        for above in self.above(node):
            if isinstance(above, LOOPS):
                return above
            if isinstance(above, FUNCTIONS):
                break
        return None

    def statement(self, node: ast.AST) -> ast.stmt:
        found = (a for a in self.above(node) if isinstance(a, ast.stmt))
        return node if isinstance(node, ast.stmt) else next(found)

    def block(self, statement: ast.AST) -> list[ast.stmt]:
        """The statements that one is among."""
        above = self.parent[statement]
        for name in ("body", "orelse", "finalbody"):
            block = getattr(above, name, None)
            if isinstance(block, list) and statement in block:
                return block
        return []

    def is_alone(self, statement: ast.stmt) -> bool:
        """Whether a statement has its lines for itself, but for a comment."""
        start, end = self.bounds(statement)
        before = self.text[self.starts[statement.lineno - 1] : start]
        after = self.text[end : self.starts[statement.end_lineno or 0]].strip()
        return not before.strip() and (not after or after.startswith("#"))

    def indent(self, statement: ast.stmt) -> str:
        row = self.lines[statement.lineno - 1]
        return row[: len(row) - len(row.lstrip())]

    def removed(self, statement: ast.stmt) -> Mutant | None:
        if not self.is_alone(statement):
            return None
        rows = list(self.lines)
        filled = [f"{self.indent(statement)}pass\n"] if len(self.block(statement)) == 1 else []
        rows[statement.lineno - 1 : statement.end_lineno] = filled
        return Mutant(statement.lineno, "".join(rows))

    def moved(self, statement: ast.stmt, other: ast.stmt, behind: bool) -> Mutant | None:
        """A statement before or behind another one, as deep as that."""
        if not self.is_alone(statement) or not self.is_alone(other) or self._spans(statement):
            return None
        mine, first, last = self.indent(statement), statement.lineno - 1, statement.end_lineno or 0
        taken = [self.indent(other) + row.removeprefix(mine) for row in self.lines[first:last]]
        rows: list[str] = []
        at = (other.end_lineno or 0) if behind else other.lineno - 1
        for number, row in enumerate([*self.lines, ""]):
            rows += [row.rstrip("\n") + "\n" for row in taken] if number == at else []
            if not first <= number < last:
                rows.append(row)
            elif number == first and len(self.block(statement)) == 1:
                rows.append(f"{mine}pass\n")
        return Mutant(min(statement.lineno, other.lineno), "".join(rows))

    def unwrapped(self, block: ast.With) -> Mutant | None:
        """The body of a `with` in its place."""
        first = block.body[0]
        alone = self.is_alone(block) and self.is_alone(first)
        if not alone or first.lineno == block.lineno or self._spans(block):
            return None
        rows, width = list(self.lines), first.col_offset - block.col_offset
        for n in range(first.lineno - 1, block.end_lineno or 0):
            rows[n] = (
                rows[n][width:] if not rows[n][:width].strip() and rows[n].strip() else rows[n]
            )
        del rows[block.lineno - 1 : first.lineno - 1]
        return Mutant(block.lineno, "".join(rows))

    def wrapped(self, statement: ast.stmt, header: str) -> Mutant | None:
        """A statement under a header: `with torch.no_grad():`"""
        if not self.is_alone(statement) or self._spans(statement):
            return None
        rows, first = list(self.lines), statement.lineno - 1
        for n in range(first, statement.end_lineno or 0):
            rows[n] = f"    {rows[n]}" if rows[n].strip() else rows[n]
        rows.insert(first, f"{self.indent(statement)}{header}\n")
        return Mutant(statement.lineno, "".join(rows))

    def decorated(self, function: Function, decorator: str) -> Mutant | None:
        if function.decorator_list or not self.is_alone(function):
            return None
        rows = list(self.lines)
        rows.insert(function.lineno - 1, f"{self.indent(function)}{decorator}\n")
        return Mutant(function.lineno, "".join(rows))

    def without(self, first: int, last: int) -> Mutant:
        """Without some lines."""
        return Mutant(first, "".join([*self.lines[: first - 1], *self.lines[last:]]))

    def _spans(self, statement: ast.stmt) -> bool:
        """Whether a string in a statement has several lines, whose indentation is part of it."""
        texts = (n for n in ast.walk(statement) if isinstance(n, (ast.Constant, ast.JoinedStr)))
        return any(n.lineno != n.end_lineno for n in texts)

    def methods(self, *names: str, within: ast.AST | None = None) -> list[ast.Call]:
        """The calls of methods of some names, in the order of the text."""
        calls = self.calls if within is None else _calls_below(within)
        found = [c for c in calls if isinstance(c.func, ast.Attribute) and c.func.attr in names]
        return sorted(found, key=lambda c: (c.lineno, c.col_offset))

    def receiver(self, call: ast.Call) -> str:
        return ast.unparse(call.func.value) if isinstance(call.func, ast.Attribute) else ""

    def inner(self, call: ast.Call) -> ast.expr:
        """What the method that a call is of belongs to."""
        assert isinstance(call.func, ast.Attribute)
        return call.func.value

    def is_statement(self, call: ast.Call) -> bool:
        return isinstance(self.parent[call], ast.Expr)

    def backwards(self, within: ast.AST) -> list[ast.Call]:
        calls = self.methods("backward", "manual_backward", within=within)
        return [call for call in calls if self.name_of_function(call) != "backward"]

    def optimizer_steps(self, within: ast.AST) -> list[ast.Call]:
        """Steps of an optimizer, through a scaler too."""
        steps = [(call, self.receiver(call)) for call in self.methods("step", within=within)]
        return [call for call, of in steps if OPTIMIZER.search(of) and "sched" not in of.lower()]

    def training_loops(self) -> Iterator[ast.For | ast.AsyncFor | ast.While]:
        """The innermost loops that go backward and step in their own text."""
        for loop in ast.walk(self.root):
            if isinstance(loop, LOOPS) and self.backwards(loop) and self.optimizer_steps(loop):
                inner = [n for n in ast.walk(loop) if isinstance(n, LOOPS) and n is not loop]
                if not any(map(self.backwards, inner)):
                    yield loop

    def passes(self, loop: ast.AST, call: ast.Call, depth: int = 2) -> bool:
        """Whether a loop runs a call, itself or in functions of the file that it calls by name."""
        if any(above is loop for above in self.above(call)):
            return True
        name = self.name_of_function(call)
        if not name or not depth:
            return False
        callers = [c for c in self.calls if ast.unparse(c.func).rpartition(".")[2] == name]
        return any(self.passes(loop, caller, depth - 1) for caller in callers)


def _calls_below(node: ast.AST) -> list[ast.Call]:
    return [n for n in ast.walk(node) if isinstance(n, ast.Call)]
