"""How a program calculates: with the number of its ranks, with sums over samples."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

RANKS = re.compile(r"world|num_processes|num_?replicas|n_?gpus|num_gpus|nprocs|device_count", re.I)


@cache
def calculates_with_ranks(path: str) -> bool:
    """Whether something is multiplied or divided by their number in a file of the user's; so it is in
    one that cannot be read."""
    return any(_is_of_ranks(node) for node in _nodes(path))


@cache
def adds_up(path: str) -> bool:
    """Whether something is summed there, as a loss may be; so it is where nothing can be read."""
    return any(_is_sum(node) for node in _nodes(path))


def _nodes(path: str) -> Iterator[ast.AST]:
    try:
        return ast.walk(ast.parse(Path(path).read_bytes()))
    except (OSError, SyntaxError, ValueError):
        return ast.walk(ast.parse("world * x.sum()"))


def _is_of_ranks(node: ast.AST) -> bool:
    match node:
        case ast.BinOp(left=one, op=ast.Mult() | ast.Div() | ast.FloorDiv(), right=other):
            return bool(RANKS.search(ast.unparse(one)) or RANKS.search(ast.unparse(other)))
        case ast.AugAssign(op=ast.Mult() | ast.Div() | ast.FloorDiv(), value=value):
            return bool(RANKS.search(ast.unparse(value)))
    return False


def _is_sum(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(attr="sum") | ast.Name(id="sum")):
            return True
        case ast.keyword(arg="reduction", value=ast.Constant(value="sum")):
            return True
    return False
