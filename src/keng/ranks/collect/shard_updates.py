"""Optimizers of the program's own that compute an update of a whole matrix from the shard of one rank."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from keng.model import Span
from keng.ranks.collect.section import Looks, Part
from keng.run.events import Step
from keng.run.frames import is_user
from keng.run.state import RunState
from keng.run.user_code import called, line, lineage_of, path_of

OF_WHOLE = set(
    "matmul mm bmm addmm norm vector_norm matrix_norm svd qr eigh eig inv pinv cholesky".split()
)
"""What needs all rows of a matrix, or all its numbers."""
EXCHANGES = set(
    "full_tensor redistribute distribute_tensor all_reduce all_gather all_to_all broadcast".split()
)
EXCHANGES |= set(
    "all_gather_into_tensor reduce_scatter reduce_scatter_tensor all_gather_tensor gather".split()
)
"""What brings the shards of several ranks together."""


class ShardUpdates(Part):
    dozes = (Step,)

    def __init__(self, run: RunState, looks: Looks) -> None:
        super().__init__(run, looks)
        self._lines: dict[type, Span | None] = {}
        self._found: dict[str, Span] = {}

    def step(self, event: Step) -> None:
        kind = type(event.optimizer)
        if kind in self._lines:
            return
        groups = event.optimizer.param_groups
        sharded = any(map(_is_shard, (p for group in groups for p in group["params"])))
        own = is_user(path_of(kind) or "<frozen ")
        self._lines[kind] = where = _whole_of_a_shard(kind) if sharded and own else None
        if where is not None:
            self._found[kind.__name__] = where

    def draft(self) -> Callable[[], Mapping[str, Any]]:
        found = dict(self._found)
        return lambda: {"shard_updates": found}


def _is_shard(parameter: Any) -> bool:
    """Of a matrix: what is computed of a vector is mostly computed of each number."""
    places = getattr(parameter, "placements", ())
    return parameter.dim() > 1 and any(place.is_shard() for place in places)


def _whole_of_a_shard(kind: type) -> Span | None:
    """The line in `step` that computes what needs the whole matrix, where it calls `to_local()` and exchanges
    nothing between ranks."""
    for code, owner in lineage_of(kind):
        methods = {each.name: each for each in code.below(owner, ast.FunctionDef)}
        if "step" in methods:
            step = methods["step"]
            bodies = [step, *_called(code, step, methods)]
            names = {name for body in bodies for name in _names(body)}
            if "to_local" not in names or names & EXCHANGES:
                return None
            return next((line(code, at) for at in _uses(code, step, methods)), None)
    return None


def _uses(code: Any, step: ast.AST, methods: Mapping[str, ast.AST]) -> Iterator[ast.expr]:
    """The expressions of `step` that need the whole matrix, or call what does."""
    for node in ast.walk(step):
        if _needs_the_whole(node):
            yield node  # type: ignore[misc]
        elif isinstance(node, ast.Call):
            target = _target(code, node, methods)
            bodies = [target, *_called(code, target, methods)] if target is not None else []
            if any(_needs_the_whole(each) for body in bodies for each in ast.walk(body)):
                yield node


def _needs_the_whole(node: ast.AST) -> bool:
    match node:
        case ast.BinOp(op=ast.MatMult()):
            return True
        case ast.Call(func=ast.Attribute(attr=name)):
            return name in OF_WHOLE
    return False


def _called(code: Any, body: ast.AST, methods: Mapping[str, ast.AST]) -> list[ast.AST]:
    """The functions of the file that a function calls, and those that these call."""
    found: list[ast.AST] = []
    left = [body]
    while left:
        for node in ast.walk(left.pop()):
            target = _target(code, node, methods) if isinstance(node, ast.Call) else None
            if target is not None and target is not body and target not in found:
                found.append(target)
                left.append(target)
    return found


def _target(code: Any, call: ast.Call, methods: Mapping[str, ast.AST]) -> ast.AST | None:
    match call.func:
        case ast.Name(id=name):
            found: ast.AST | None = code.tree.definition(name)
            return found
        case ast.Attribute(value=ast.Name(id="self"), attr=name):
            return methods.get(name)
    return None


def _names(body: ast.AST) -> Iterator[str]:
    """What a function calls."""
    for node in ast.walk(body):
        if isinstance(node, ast.Call):
            yield called(node)
