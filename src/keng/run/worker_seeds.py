"""Seeds that a `worker_init_fn` sets, read from its text."""

from __future__ import annotations

import ast
import inspect
from types import ModuleType
from typing import Any

from keng.model import Span
from keng.run.classes import tree_of_class

SEEDERS = ("seed", "manual_seed")


def seeded_alike(function: Any, home: ModuleType | None) -> Span | None:
    """The statement that gives every worker the same seed, for a generator that a module draws from."""
    tree, before = (
        tree_of_class(function) if inspect.isfunction(function) else (ast.Module([], []), 0)
    )
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    made = {name.id for name in names if isinstance(name.ctx, ast.Store)}
    made |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        generator = _seeded(call, made)
        if generator and home is not None and _draws(home, generator):
            return Span(inspect.getfile(function), before + call.lineno)
    return None


def _seeded(node: ast.AST, made: set[str]) -> str:
    """What is seeded with a number that depends neither on the worker nor on the epoch: `np.random`."""
    match node:
        case ast.Call(func=ast.Attribute(value=owner, attr=name), args=[seed]) if name in SEEDERS:
            parts = list(ast.walk(seed))
            varies = any(isinstance(part, ast.Call) for part in parts)
            known = {part.id for part in parts if isinstance(part, ast.Name)}
            return "" if varies or known & made else ast.unparse(owner)
    return ""


def _draws(home: ModuleType, generator: str) -> bool:
    try:
        tree = ast.parse(inspect.getsource(home))
    except (OSError, TypeError, SyntaxError):
        return False
    return any(
        isinstance(node, ast.Attribute)
        and ast.unparse(node.value) == generator
        and (node.attr.startswith("rand") if generator == "torch" else node.attr not in SEEDERS)
        for node in ast.walk(tree)
    )
