"""Whether a program calculates with the number of its ranks."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

RANKS = re.compile(r"world|num_processes|num_?replicas|n_?gpus|num_gpus|nprocs|device_count", re.I)


@cache
def calculates_with_ranks(path: str) -> bool:
    """Whether something is multiplied or divided by it in a file of the user's; so it is in one that
    cannot be read."""
    try:
        tree = ast.parse(Path(path).read_bytes())
    except (OSError, SyntaxError, ValueError):
        return True
    return any(_is_of_ranks(node) for node in ast.walk(tree))


def _is_of_ranks(node: ast.AST) -> bool:
    match node:
        case ast.BinOp(left=one, op=ast.Mult() | ast.Div() | ast.FloorDiv(), right=other):
            return bool(RANKS.search(ast.unparse(one)) or RANKS.search(ast.unparse(other)))
        case ast.AugAssign(op=ast.Mult() | ast.Div() | ast.FloorDiv(), value=value):
            return bool(RANKS.search(ast.unparse(value)))
    return False
