"""Source code: a loss is multiplied by the same weights in two statements."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from keng.model import Hits, say
from keng.pitfalls.slips._shared import LOSS
from keng.rules import finds
from keng.source import Code


@finds
def same_weights_again(code: Code) -> Hits:
    if b"loss" not in code.tree.data:
        return
    for statement, loss, weight in _weighed_again(code):
        yield code.hit(statement, say("again", loss=loss, weight=weight))


def _weighed_again(code: Code) -> Iterator[tuple[ast.stmt, str, str]]:
    for assigned in code.of(ast.Assign):
        if not isinstance(assigned.targets[0], ast.Name):
            continue
        match assigned.targets:
            case [ast.Name(id=name)] if LOSS.search(name):
                pass
            case _:
                continue
        before, _ = code.flow.siblings(assigned, code.tree.parent[assigned])
        given = [each for each in before if isinstance(each, ast.Assign)]
        earlier = next((e for e in reversed(given) if ast.unparse(e.targets[0]) == name), None)
        if earlier is None:
            continue
        twice = set(_factors(earlier.value, name)) & set(_factors(assigned.value, name))
        reads = any(isinstance(n, ast.Name) and n.id == name for n in ast.walk(assigned.value))
        if twice and reads:
            yield assigned, name, min(twice)


def _factors(value: ast.expr, loss: str) -> Iterator[str]:
    """The names and attributes that a value is multiplied by, through means and sums."""
    match value:
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            for side in (left, right):
                if isinstance(side, (ast.Name, ast.Attribute)) and ast.unparse(side) != loss:
                    yield ast.unparse(side)
                yield from _factors(side, loss)
        case ast.Call(func=ast.Attribute(value=inner, attr="mean" | "sum" | "view" | "reshape")):
            yield from _factors(inner, loss)
