"""Findings in functions and classes that nothing in a program uses."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterable

from keng.check.uses import Uses, is_packaged
from keng.model import Finding
from keng.source import Code
from keng.source.tree import FUNCTIONS, Function

IMPORTABLE = re.compile(r"\w+\.py")
RUNS = (ast.Expr, ast.For, ast.While, ast.If, ast.With, ast.Try)
OWN_BASES = frozenset({"torch.nn.Module", "torch.utils.data.Dataset", "builtins.object"})
"""Of what calls of itself only what is named below."""
CALLED = frozenset(
    {"forward", "extra_repr", "train", "eval", "apply", "get_extra_state", "set_extra_state"}
)


def hinted(findings: Iterable[Finding], code: Code, uses: Uses | None) -> list[Finding]:
    """The findings of a file; as hints where no line of the program can come to them. Without `uses`, a
    part of the program is not seen."""
    if uses is None:
        return list(findings)
    return [
        each._replace(severity="hint") if _is_in_unused(each, code, uses) else each
        for each in findings
    ]


def _is_in_unused(finding: Finding, code: Code, uses: Uses) -> bool:
    where = finding.hit.where
    alone = len(code.trees.members) < 2  # what uses a single file is not seen
    if finding.severity == "hint" or where is None or alone:
        return False
    for node in code.tree.root.body:
        if node.lineno <= where.line <= (node.end_lineno or node.lineno):
            # what is decorated may be registered
            if not isinstance(node, (ast.ClassDef, *FUNCTIONS)) or node.decorator_list:
                return False
            if _is_found_by_name(code):
                return uses.is_left_out(code.path)
            used = uses.is_used(code.path, node.name.encode())
            return not used or _is_in_unused_method(node, where.line, code, uses)
    return False


def _is_in_unused_method(node: ast.AST, line: int, code: Code, uses: Uses) -> bool:
    """Whether a line is in a method that nothing asks for, of a class that is used."""
    if not isinstance(node, ast.ClassDef) or is_packaged(code.path):
        return False
    if not _calls_nothing_itself(code, node):
        return False
    methods = [each for each in node.body if isinstance(each, FUNCTIONS)]
    around = [m for m in methods if m.lineno <= line <= (m.end_lineno or m.lineno)]
    return any(_may_be_unused(m) and not uses.is_said(code.path, m.name.encode()) for m in around)


def _may_be_unused(method: Function) -> bool:
    special = method.name.startswith("__") or method.name in CALLED
    return not special and not method.decorator_list


def _calls_nothing_itself(code: Code, owner: ast.ClassDef) -> bool:
    """Whether all bases of a class are known not to call methods that nobody names."""
    near = code.classes.mro(owner)
    bases = [
        (each, base)
        for each in near
        if isinstance(each.node, ast.ClassDef)
        for base in each.node.bases
    ]
    known = {each.node for each in near}
    for home, base in bases:
        there = code.at(home.tree)
        found = there.classes.named(base)
        own = found is not None and found.node in known
        if not own and there.names.resolve(base) not in OWN_BASES:
            return False
    return True


def _is_found_by_name(code: Code) -> bool:
    """Whether nothing imports a file of definitions alone, which may then be imported by its name."""
    named = IMPORTABLE.fullmatch(os.path.basename(code.path))
    return bool(named) and not code.trees.files.importers(code.path) and not _runs(code)


def _runs(code: Code) -> bool:
    """Whether a file does more than to define: its top level calls something."""
    for statement in code.tree.root.body:
        text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        if isinstance(statement, RUNS) and not text:
            return True
    return False
