"""How a program calculates: with the number of its ranks, with sums over samples."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

RANKS = re.compile(r"world|num_processes|num_?replicas|n_?gpus|num_gpus|nprocs|device_count", re.I)

OWN = re.compile(rf"\b(?:\w*_)?rank\b|{RANKS.pattern}", re.I)


@cache
def calculates_with_ranks(path: str) -> bool:
    """Whether something is multiplied or divided by their number in a file of the user's; so it is in
    one that cannot be read."""
    return any(_is_of_ranks(node) for node in _nodes(path))


@cache
def adds_up(path: str) -> bool:
    """Whether something is summed there, as a loss may be; so it is where nothing can be read."""
    return any(_is_sum(node) for node in _nodes(path))


@cache
def divides_by_rank(path: str) -> bool:
    """Whether a part of something is taken there by the rank; not in a file that cannot be read."""
    return any(_is_part_of_rank(node) for node in _nodes(path))


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


def _is_part_of_rank(node: ast.AST) -> bool:
    match node:
        case ast.Subscript(slice=ast.Slice(lower=lower, step=step)):
            return any(each and OWN.search(ast.unparse(each)) for each in (lower, step))
        case ast.Subscript(value=ast.Call(), slice=index):  # rows.chunk(world)[rank]
            return OWN.search(ast.unparse(index)) is not None
        case ast.BinOp(op=ast.Mod(), right=other):
            return OWN.search(ast.unparse(other)) is not None
        case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name)):
            return name in ("shard", "split_dataset_by_node")
    return False


def _is_sum(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(attr="sum") | ast.Name(id="sum")):
            return True
        case ast.keyword(arg="reduction", value=ast.Constant(value="sum")):
            return True
    return False
