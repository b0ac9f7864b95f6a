"""The statement that raised: a `raise`, an `assert`, or the call of a `torch._check`."""

from __future__ import annotations

import ast
import re

from keng.explain.reasons.calls import last_name
from keng.explain.reasons.levels import Level
from keng.explain.reasons.source import Source, Tree
from keng.explain.reasons.template import Hole, template_of, unify

CHECK = re.compile(r"_check(?:_\w+)?$")
MOST_FUNCTIONS = 20
FIXED = 8
"""Characters of a message that are enough to tell the raise by."""


def without_checks(levels: list[Level]) -> list[Level]:
    """The levels without those inside `torch._check`, whose call is the guard."""
    while len(levels) > 1 and CHECK.match(levels[-1].name) and _is_torchs_root(levels[-1].path):
        levels = levels[:-1]
    return levels


def _is_torchs_root(path: str) -> bool:
    return path.replace("\\", "/").endswith("torch/__init__.py")


def site_of(level: Level, message: str, checked: bool) -> ast.AST | None:
    """The statement on the line of a level. In a text it must fit the message; where it does not, the one in
    a function of that name whose message it is."""
    nodes = level.nodes()
    if checked:
        calls = [node for node in nodes if isinstance(node, ast.Call)]
        named = [call for call in calls if CHECK.match(last_name(call.func)) and call.args]
        return named[-1] if named else None
    found = [node for node in nodes if isinstance(node, ast.Raise | ast.Assert)]
    site, tree = (found[-1] if found else None), level.tree
    if level.live is not None or tree is None:
        return site if tree is not None else None
    if site is not None and _fits(site, tree, message, level.text):
        return site
    return _by_message(level, message)


def _fits(site: ast.AST, tree: Tree, message: str, text: str) -> bool:
    parts = template_of(site, tree)
    fixed = sum(len(part) for part in parts if isinstance(part, str))
    if fixed >= FIXED and message:
        return unify(parts, message) is not None
    return bool(text)


def _by_message(level: Level, message: str) -> ast.AST | None:
    source = level.source
    if source is None or not message:
        return None
    found = [
        (node, number)
        for number in _functions(source, level.name)
        for node in _raises(source, number)
        if _is_message_of(node, source.tree(number), message)
    ]
    if len(found) != 1:
        return None
    level.line = found[0][0].lineno
    return found[0][0]


def _functions(source: Source, name: str) -> list[int]:
    wanted = re.compile(rf"\s*(?:async\s+)?def\s+{re.escape(name)}\b")
    return [n for n, text in enumerate(source.lines, 1) if wanted.match(text)][:MOST_FUNCTIONS]


def _raises(source: Source, line: int) -> list[ast.Raise | ast.Assert]:
    tree = source.tree(line)
    functions = [n for n in tree.at(line) if isinstance(n, ast.FunctionDef)] if tree else []
    nodes = list(ast.walk(functions[-1])) if functions else []
    return [node for node in nodes if isinstance(node, ast.Raise | ast.Assert)]


def _is_message_of(node: ast.AST, tree: Tree | None, message: str) -> bool:
    parts = template_of(node, tree) if tree is not None else []
    fixed = sum(len(part) for part in parts if not isinstance(part, Hole))
    return fixed >= FIXED and unify(parts, message) is not None
