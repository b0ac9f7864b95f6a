"""The statements of a file by their lines."""

from __future__ import annotations

import ast

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class Statements:
    def __init__(self, tree: ast.Module) -> None:
        statements = [node for node in ast.walk(tree) if isinstance(node, ast.stmt)]
        self._lines = [_lines_of(statement) for statement in statements]
        self._functions = [
            (node.lineno, node.end_lineno or node.lineno, node.name)
            for node in statements
            if isinstance(node, FUNCTIONS)
        ]

    def lines(self, line: int) -> range:
        """The lines of the smallest statement on a line; of a block only those of its head."""
        around = [lines for lines in self._lines if line in lines]
        return min(around, key=len, default=range(line, line + 1))

    def function(self, line: int) -> str:
        """The name of the innermost function on a line, or nothing."""
        around = [(first, name) for first, last, name in self._functions if first <= line <= last]
        return max(around, default=(0, ""))[1]


def _lines_of(statement: ast.stmt) -> range:
    first = min([statement.lineno, *(d.lineno for d in getattr(statement, "decorator_list", []))])
    last = statement.end_lineno or statement.lineno
    cases = [case.pattern for case in getattr(statement, "cases", ())]
    if body := getattr(statement, "body", cases):
        last = max(statement.lineno, body[0].lineno - 1)
    return range(first, last + 1)
