"""Findings in functions and classes that nothing in a program uses."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from keng.check.uses import Uses
from keng.model import Finding
from keng.source import Code
from keng.source.tree import FUNCTIONS

ENDS = (ast.Return, ast.Raise, ast.Continue, ast.Break)


def hinted(findings: Iterable[Finding], code: Code, uses: Uses | None) -> list[Finding]:
    """The findings of a file; as hints where no line of the program can come to them. Without `uses`, a
    part of the program is not seen."""
    return [
        each._replace(severity="hint") if _is_in_unused(each, code, uses) else each
        for each in findings
    ]


def _is_in_unused(finding: Finding, code: Code, uses: Uses | None) -> bool:
    where = finding.hit.where
    if finding.severity == "hint" or where is None:
        return False
    if _is_behind_the_end(code.tree.root.body, where.line):
        return True
    if uses is None or len(code.trees.members) < 2:
        return False  # what uses a single file is not seen
    for node in code.tree.root.body:
        if node.lineno <= where.line <= (node.end_lineno or node.lineno):
            # what is decorated may be registered
            if not isinstance(node, (ast.ClassDef, *FUNCTIONS)) or node.decorator_list:
                return False
            return not uses.is_used(code.path, node.name.encode())
    return False


def _is_behind_the_end(block: list[ast.stmt], line: int) -> bool:
    """Whether a line stands behind a `return`, `raise`, `continue` or `break` of its own block."""
    for statement in block:
        if statement.lineno <= line <= (statement.end_lineno or statement.lineno):
            inner = [getattr(statement, field, []) for field in ("body", "orelse", "finalbody")]
            inner += [part.body for part in getattr(statement, "handlers", [])]
            inner += [part.body for part in getattr(statement, "cases", [])]
            return any(_is_behind_the_end(each, line) for each in inner)
        if isinstance(statement, ENDS) and line > (statement.end_lineno or statement.lineno):
            last = block[-1]
            return line <= (last.end_lineno or last.lineno)
    return False
