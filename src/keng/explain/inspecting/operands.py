"""The tensors of the expression that failed, by the names they have there."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from types import FrameType, TracebackType
from typing import Any

from keng.explain.live import LiveError, Operand
from keng.explain.ownership.paths import is_user

MISSING = object()
RESHAPES = ("View", "UnsafeView", "ReshapeAlias", "Reshape", "Flatten", "Squeeze", "Unsqueeze")


def operands_of(error: LiveError) -> tuple[Operand, ...]:
    """Those of the user's deepest frame, as written from left to right."""
    torch = error.torch
    user = [tb for tb in error.tracebacks if is_user(tb.tb_frame.f_code.co_filename)]
    node = failing_node(user[-1]) if user else None
    if node is None:
        return ()
    found: dict[str, Operand] = {}
    for expression, value in values_in(node, user[-1].tb_frame, torch):
        if isinstance(value, torch.Tensor):
            found.setdefault(ast.unparse(expression), operand(ast.unparse(expression), value))
    return tuple(found.values())


def loss_inputs_of(error: LiveError) -> tuple[Operand, ...]:
    """The input and the target of the loss that raised, under its own names for them."""
    for frame in reversed(error.frames):
        if frame.f_code.co_filename.endswith("functional.py"):
            given = [frame.f_locals.get(name) for name in ("input", "target")]
            if all(isinstance(each, error.torch.Tensor) for each in given):
                return (operand("input", given[0]), operand("target", given[1]))
    return ()


def operand(name: str, tensor: Any) -> Operand:
    return Operand(
        name,
        tuple(int(n) for n in tensor.shape),
        str(tensor.dtype).removeprefix("torch."),
        str(tensor.device),
        bool(tensor.requires_grad),
        bool(tensor.is_leaf),
        _viewed(tensor),
    )


def _viewed(tensor: Any) -> tuple[int, ...]:
    """The shape that a tensor had before it was reshaped into this one."""
    base, node = tensor._base, tensor.grad_fn
    before: tuple[int, ...] = ()
    if node is not None and type(node).__name__.startswith(RESHAPES):
        before = tuple(int(n) for n in getattr(node, "_saved_self_sym_sizes", ()))
    elif base is not None and base.numel() == tensor.numel():
        before = tuple(int(n) for n in base.shape)
    return before if before != tuple(tensor.shape) else ()


def failing_node(traceback: TracebackType) -> ast.AST | None:
    from executing import Source

    here = Source.executing(traceback)
    if here.node is not None:
        return here.node
    return next(iter(here.statements), None) if here.statements else None


def values_in(node: ast.AST, frame: FrameType, torch: Any) -> Iterator[tuple[ast.expr, Any]]:
    """The longest names in an expression that can be looked up without calling anything."""
    if isinstance(node, (ast.Name, ast.Attribute, ast.Subscript)):
        value = value_of(node, frame, torch)
        if value is not MISSING:
            yield node, value
            return
    if isinstance(node, (ast.Lambda, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return
    if isinstance(node, (ast.For, ast.AsyncFor)):
        yield from values_in(node.iter, frame, torch)  # its variable is of the round before
        return
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.stmt):  # what is in a block has not failed
            yield from values_in(child, frame, torch)


def value_of(node: ast.AST, frame: FrameType, torch: Any) -> Any:
    """What an expression stands for, looked up without calling anything; else MISSING."""
    if isinstance(node, ast.Name):
        return frame.f_locals.get(node.id, frame.f_globals.get(node.id, MISSING))
    if isinstance(node, ast.Attribute):
        return _attribute(value_of(node.value, frame, torch), node.attr, torch)
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        owner, key = value_of(node.value, frame, torch), node.slice.value
        if type(owner) is dict:
            return owner.get(key, MISSING)
        if (
            type(owner) in (list, tuple)
            and isinstance(key, int)
            and -len(owner) <= key < len(owner)
        ):
            return owner[key]
    return MISSING


def _attribute(owner: Any, name: str, torch: Any) -> Any:
    """Only what is stored: a property may compute anything."""
    if owner is MISSING:
        return MISSING
    if isinstance(owner, torch.Tensor):
        return owner.data if name == "data" else owner.grad if name == "grad" else MISSING
    stored = getattr(owner, "__dict__", {})
    if isinstance(owner, torch.nn.Module):
        for table in ("_parameters", "_buffers", "_modules"):
            if name in stored.get(table, {}):
                return stored[table][name]
    return stored.get(name, MISSING) if isinstance(stored, dict) else MISSING
