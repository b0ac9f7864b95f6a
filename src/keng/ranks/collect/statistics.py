"""Buffers that a module of the program's own moves by each batch, and by which it computes its output."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from torch.nn import Module

from keng.run.frames import is_user
from keng.run.user_code import is_own, lineage_of, path_of

if TYPE_CHECKING:
    from torch import Tensor

MOVES = {"add_", "lerp_"}
"""Methods that add to a tensor."""


def running_statistics(model: Module) -> Iterator[tuple[str, Tensor]]:
    """Those that are saved with the model: of what is not, each rank may have its own."""
    for prefix, module in model.named_modules():
        if not is_user(path_of(type(module)) or "<frozen "):
            continue
        for name, buffer in module.named_buffers(recurse=False):
            kept = name not in module._non_persistent_buffers_set
            if kept and buffer.is_floating_point() and _is_statistic(type(module), name):
                yield f"{prefix}.{name}".lstrip("."), buffer


_known: dict[tuple[type, str], bool] = {}


def _is_statistic(kind: type, name: str) -> bool:
    if (kind, name) not in _known:
        _known[kind, name] = _moves_its_output(kind, name)
    return _known[kind, name]


def _moves_its_output(kind: type, name: str) -> bool:
    moves = is_output = False
    for code, owner in lineage_of(kind):
        for node in code.below(owner, ast.Attribute):
            if is_own(node, name):
                around = list(code.tree.ancestors(node))
                moves |= _moves(around[0], node)
                is_output |= _is_output(around)
    return moves and is_output


def _moves(parent: ast.AST, node: ast.AST) -> bool:
    match parent:
        case ast.AugAssign(target=target, op=ast.Add() | ast.Sub()):
            return target is node
        case ast.Attribute(attr=method):
            return method in MOVES
    return False


def _is_output(around: list[ast.AST]) -> bool:
    """Whether what stands within these nodes is in what `forward` returns."""
    function = next((each for each in around if isinstance(each, ast.FunctionDef)), None)
    returned = any(isinstance(each, ast.Return) for each in around)
    return returned and function is not None and function.name == "forward"
