"""What the user's own code does with a value."""

from __future__ import annotations

import ast
import dis
from functools import lru_cache
from opcode import opmap

from keng.run.frames import here, user_frames
from keng.run.lines import function_at, tree_at

POP = opmap["POP_TOP"]
CACHE = opmap.get("CACHE", 0)


def is_discarded() -> bool:
    """Whether the call that runs now in the user's innermost frame is a statement by itself, whose
    result is thrown away."""
    frame = next(user_frames(), None)
    if frame is None:
        return False
    code, at = frame.f_code.co_code, frame.f_lasti + 2
    while at < len(code) and code[at] in (CACHE, dis.EXTENDED_ARG):
        at += 2
    return at < len(code) and code[at] == POP


def is_scored() -> bool:
    """Whether the function that runs now compares what its running statement computes with something that
    has a name, as predictions with labels, and neither goes backward nor chooses a mode."""
    place = here()
    return place is not None and _scores(place.path, place.line)


@lru_cache(maxsize=256)
def _scores(path: str, line: int) -> bool:
    tree = tree_at(path)
    scope = function_at(tree, line)
    nodes = list(ast.walk(scope))
    if scope is tree or any(getattr(node, "attr", "") in ("backward", "train") for node in nodes):
        return False
    made = [node for node in nodes if isinstance(node, ast.Assign)]
    known: set[str] = set()
    for each in sorted(made, key=lambda node: node.lineno):
        runs = each.lineno <= line <= (each.end_lineno or line)
        if runs or known & _names(each.value):
            known |= {name for target in each.targets for name in _names(target)}
    return any(_compares(node, known) for node in nodes)


def _compares(node: ast.AST, known: set[str]) -> bool:
    match node:
        case ast.Compare(left=one, ops=[ast.Eq()], comparators=[other]):
            sides = [_names(one), _names(other)]
        case ast.Call(func=ast.Attribute(value=one, attr="eq"), args=[other]):
            sides = [_names(one), _names(other)]
        case _:
            return False
    return any(side & known for side in sides) and any(side - known for side in sides)


def _names(node: ast.AST) -> set[str]:
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
