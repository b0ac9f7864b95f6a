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
    if _is_behind_the_end(code, where.line):
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


def _is_behind_the_end(code: Code, line: int) -> bool:
    """Whether a line follows a `return`, `raise`, `continue` or `break` in its own block."""
    for end in code.of(*ENDS):
        _, behind = code.flow.siblings(end, code.tree.parent[end])
        if behind and (end.end_lineno or end.lineno) < line <= (behind[-1].end_lineno or 0):
            return True
    return False
