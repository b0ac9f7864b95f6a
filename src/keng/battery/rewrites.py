"""Programs written otherwise that mean the same: what is found in one must be found in the other."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from keng.model import Edit, Fix

BOTHER = "é坑"


@dataclass(frozen=True)
class Moved:
    """A program rewritten: where a line of the old one is now, and how many characters further right
    its code begins (None: not told), which for the lines in `shifted` is `shift`. `same_tree` where
    mending after it must give the same as mending before it."""

    text: str
    line: Callable[[int], int] = lambda line: line
    indent: int | None = 0
    shifted: frozenset[int] = frozenset()
    shift: int = 0
    same_tree: bool = True


Rewrite = Callable[[str, list[int]], "Moved | None"]
"""Takes a program and its marked lines; None where the rewriting makes no sense."""


def in_a_function(text: str, marks: list[int]) -> Moved | None:
    if _only_at_the_top(text):
        return None
    return Moved(
        f"def main():\n{_indented(text, 4)}\n\nmain()\n", lambda line: line + 1, 4, _still(text)
    )


def in_a_class(text: str, marks: list[int]) -> Moved | None:
    if _only_at_the_top(text):
        return None
    head = "class Job:\n    def run(self):\n"
    return Moved(
        f"{head}{_indented(text, 8)}\n\nJob().run()\n", lambda line: line + 2, 8, _still(text)
    )


def under_if(text: str, marks: list[int]) -> Moved | None:
    return Moved(f"if True:\n{_indented(text, 4)}", lambda line: line + 1, 4, _still(text))


def after_unrelated_lines(text: str, marks: list[int]) -> Moved | None:
    head = "import os\n\n\ndef unrelated(a, b):\n    return os.path.join(a, b)\n\n\n"
    return Moved(head + text, lambda line: line + head.count("\n"))


def with_tabs(text: str, marks: list[int]) -> Moved | None:
    inside = _lines_in_strings(text)
    lines = text.split("\n")
    for n, line in enumerate(lines, 1):
        width = len(line) - len(line.lstrip(" "))
        if n not in inside:
            lines[n - 1] = "\t" * (width // 4) + " " * (width % 4) + line[width:]
    return Moved("\n".join(lines), indent=None)


def with_crlf(text: str, marks: list[int]) -> Moved | None:
    return Moved(text.replace("\n", "\r\n"))


def after_other_characters(text: str, marks: list[int]) -> Moved | None:
    """A comment above, and a string on the same line, whose UTF-8 is longer than they are."""
    prefix = f'"{BOTHER}"; '
    lines = text.split("\n")
    plain = {
        node.lineno
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.stmt) and not hasattr(node, "body")
        if node.lineno in marks and not lines[node.lineno - 1][: node.col_offset].strip()
    }
    for n in plain:
        width = len(lines[n - 1]) - len(lines[n - 1].lstrip())
        lines[n - 1] = lines[n - 1][:width] + prefix + lines[n - 1][width:]
    # A string that shares the line of a statement may cost it a fix, so the trees may differ.
    return Moved(
        "\n".join([f"# {BOTHER}", *lines]),
        lambda line: line + 1,
        shifted=frozenset(plain),
        shift=len(prefix),
        same_tree=False,
    )


def with_aliases(text: str, marks: list[int]) -> Moved | None:
    """`import torch as torch_`, `from torch import nn as nn_` ..."""
    tree = ast.parse(text)
    taken = _taken(tree)
    edits, renamed = [], {}
    for node in ast.walk(tree):
        for alias in _torch_names(node):
            bound = alias.asname or alias.name
            if "." in bound or bound == "*" or bound in taken:
                continue
            renamed[bound] = f"{bound}_"
            edits.append(_edit(text, alias, f"{alias.name} as {bound}_"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in renamed:
            edits.append(_edit(text, node, renamed[node.id]))
    return Moved(_edited(text, edits), indent=None, same_tree=False) if renamed else None


def with_from_imports(text: str, marks: list[int]) -> Moved | None:
    """`nn.Linear(...)` as `Linear_(...)`, imported by itself."""
    tree = ast.parse(text)
    taken = _taken(tree)
    imported = dict(_bound(tree))
    edits: list[Edit] = []
    for node in _called(tree):
        root, rest = _chain(node)
        if root not in imported or root in taken or not rest:
            continue
        statement, dotted = imported[root]
        *parents, last = [*dotted.split("."), *rest]
        if not all(part.islower() for part in parents):
            continue
        name = f"{last}_{len(edits)}"
        end = _end(text, statement)
        edits.append(Edit(end, end, f"; from {'.'.join(parents)} import {last} as {name}"))
        edits.append(_edit(text, node, name))
    return Moved(_edited(text, edits), indent=None, same_tree=False) if edits else None


REWRITES: dict[str, Rewrite] = {
    function.__name__.replace("_", "-"): function
    for function in (
        in_a_function,
        in_a_class,
        under_if,
        after_unrelated_lines,
        with_tabs,
        with_crlf,
        after_other_characters,
        with_aliases,
        with_from_imports,
    )
}


def same_tree(one: str, other: str) -> bool:
    return ast.dump(ast.parse(one)) == ast.dump(ast.parse(other))


def _only_at_the_top(text: str) -> bool:
    return any(
        isinstance(node, ast.Global)
        or (isinstance(node, ast.ImportFrom) and node.names[0].name == "*")
        or (isinstance(node, ast.ImportFrom) and node.module == "__future__")
        for node in ast.walk(ast.parse(text))
    )


def _still(text: str) -> frozenset[int]:
    """Lines that indenting leaves where they are."""
    return frozenset(_lines_in_strings(text))


def _indented(text: str, width: int) -> str:
    inside = _lines_in_strings(text)
    lines = text.split("\n")
    return "\n".join(
        " " * width + line if line.strip() and n not in inside else line
        for n, line in enumerate(lines, 1)
    )


def _lines_in_strings(text: str) -> set[int]:
    """Lines that begin inside a string."""
    found: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.JoinedStr, ast.Constant)) and node.end_lineno is not None:
            found |= set(range(node.lineno + 1, node.end_lineno + 1))
    return found


def _torch_names(node: ast.AST) -> list[ast.alias]:
    if isinstance(node, ast.Import):
        return [alias for alias in node.names if alias.name.split(".")[0] == "torch"]
    if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "torch":
        return node.names
    return []


def _bound(tree: ast.AST) -> Iterator[tuple[str, tuple[ast.stmt, str]]]:
    """Names that stand for torch's modules, the statement that binds them, and what they stand for."""
    for node in ast.walk(tree):
        for alias in _torch_names(node):
            assert isinstance(node, (ast.Import, ast.ImportFrom))
            base = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
            if alias.asname or "." not in alias.name:
                yield alias.asname or alias.name, (node, base + alias.name)


def _taken(tree: ast.AST) -> set[str]:
    """Names that also mean something else, or whose places an older Python does not tell."""
    taken = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            taken.add(node.id)
        if isinstance(node, ast.JoinedStr):
            taken |= {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}
    return taken


def _called(tree: ast.AST) -> Iterator[ast.expr]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            yield node.func
        if isinstance(node, ast.ClassDef):
            yield from (base for base in node.bases if isinstance(base, ast.Attribute))


def _chain(node: ast.expr) -> tuple[str, list[str]]:
    rest: list[str] = []
    while isinstance(node, ast.Attribute):
        rest.insert(0, node.attr)
        node = node.value
    return (node.id, rest) if isinstance(node, ast.Name) else ("", [])


def _edit(text: str, node: ast.expr | ast.alias, new: str) -> Edit:
    return Edit(_offset(text, node.lineno, node.col_offset), _end(text, node), new)


def _end(text: str, node: ast.expr | ast.stmt | ast.alias) -> int:
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    return _offset(text, node.end_lineno, node.end_col_offset)


def _offset(text: str, line: int, column: int) -> int:
    before = text.split("\n")[: line - 1]
    return sum(len(part.encode()) + 1 for part in before) + column


def _edited(text: str, edits: list[Edit]) -> str:
    return Fix("", tuple(edits)).applied_to(text.encode()).decode()
