"""The user's expression that raised: what it calls, what it is done with, and whether that is PyTorch's.

Names are looked up as the frame holds them; nothing is called, and no property is computed.
"""

from __future__ import annotations

import ast
import inspect
import linecache
import re
from collections.abc import Iterator
from contextlib import suppress
from types import (
    BuiltinFunctionType,
    FrameType,
    FunctionType,
    GetSetDescriptorType,
    MethodDescriptorType,
    MethodType,
    WrapperDescriptorType,
)
from typing import Any

from keng.explain.inspecting.operands import MISSING, failing_node, operand, value_of, values_in
from keng.explain.live import Failing, LiveError, Operand
from keng.explain.ownership.paths import PLUMBING, is_torch, is_user
from keng.model import Span

TAKES = re.compile(r"[\w.]{1,80}\([^\n]{0,300}\)(?: -> [^\n]{1,60})?$")
DESCRIPTORS = (MethodDescriptorType, GetSetDescriptorType, WrapperDescriptorType)
PYTHONS = ("builtins", "math", "operator")
MOST_TENSORS = 8


def failing_of(error: LiveError) -> Failing | None:
    """That of the user's deepest frame."""
    message, tracebacks, torch = error
    user = [n for n, tb in enumerate(tracebacks) if is_user(tb.tb_frame.f_code.co_filename)]
    node = failing_node(tracebacks[user[-1]]) if user else None
    if node is None:
        return None
    frame, *below = [tb.tb_frame for tb in tracebacks[user[-1] :]]
    called = _callable(node.func, frame, torch) if isinstance(node, ast.Call) else MISSING
    torchs = made_by_torch(called)
    if not below:
        mine = torchs or _is_done_with_torch(node, called, message, frame, torch)
    elif not all(is_torch(each.f_code.co_filename) for each in below):
        mine = False
    elif isinstance(node, ast.Call):
        mine = torchs and _is_of(called, message)
    else:
        mine = not isinstance(node, ast.stmt) and _is_done_with_torch(
            node, called, message, frame, torch
        )
    tensors = [*_tensors(node, frame, torch)] or [*_given(below, torch)]
    return Failing(
        _span(node, frame),
        _written(node.func) if torchs and isinstance(node, ast.Call) else "",
        _takes(called) if torchs else "",
        tuple(tensors[:MOST_TENSORS]),
        mine,
    )


def made_by_torch(value: Any) -> bool:
    """Whether it, or its class, is defined in torch."""
    if isinstance(value, (MethodType, classmethod, staticmethod)):
        value = value.__func__
    home = None
    if isinstance(value, (FunctionType, BuiltinFunctionType, type)):
        home = value.__module__
    elif isinstance(value, DESCRIPTORS):
        home = value.__objclass__.__module__
    if home is None:
        bound = isinstance(value, BuiltinFunctionType)
        home = type(value.__self__ if bound else value).__module__
    return str(home).partition(".")[0] == "torch"


def _is_of(called: Any, message: str) -> bool:
    """Whether Python says in the message that this function is called otherwise."""
    names = {getattr(called, "__qualname__", ""), f"{type(called).__qualname__}.forward"}
    if isinstance(called, type):
        names = {f"{each.__qualname__}.__init__" for each in called.__mro__}
    return message.partition("() ")[0] in names


def _callable(node: ast.expr, frame: FrameType, torch: Any) -> Any:
    """What a call calls; of a method, the function that its class has for it."""
    value = value_of(node, frame, torch)
    if isinstance(node, ast.Name) and value is MISSING:
        return frame.f_builtins.get(node.id, MISSING)
    if value is not MISSING or not isinstance(node, ast.Attribute):
        return value
    owner = value_of(node.value, frame, torch)
    if owner is MISSING:
        return MISSING
    of = owner if isinstance(owner, type) else type(owner)
    return inspect.getattr_static(of, node.attr, MISSING)


def _is_done_with_torch(
    node: ast.AST, called: Any, message: str, frame: FrameType, torch: Any
) -> bool:
    """Whether what the expression is directly done with is a tensor, a module or the like. What one of
    Python's own functions is called with counts where the message names its type."""
    for part in _parts(node, called):
        value = value_of(part, frame, torch)
        if isinstance(node, ast.Call) and type(value).__name__ not in message:
            continue
        if isinstance(part, ast.Attribute):  # the shape, the gradient, the device of a tensor
            owner = value_of(part.value, frame, torch)
            if isinstance(owner, torch.Tensor):
                return True
        if isinstance(value, (torch.Tensor, torch.nn.Module)) or made_by_torch(value):
            return True
    return False


def _parts(node: ast.AST, called: Any) -> list[ast.expr]:
    match node:
        case ast.BinOp(left=left, right=right):
            return [left, right]
        case ast.AugAssign(target=target, value=value):
            return [target, value]
        case ast.Compare(left=left, comparators=comparators):
            return [left, *comparators]
        case ast.UnaryOp(operand=value) | ast.Subscript(value=value) | ast.Attribute(value=value):
            return [value]
        case ast.Assign(targets=[ast.Tuple() | ast.List()], value=value) | ast.For(iter=value):
            return [value]
        case ast.With(items=items):
            return [item.context_expr for item in items]
        case ast.Call(args=args) if getattr(called, "__module__", None) in PYTHONS:
            return list(args)
        case ast.Call(func=func):
            return [func]
    return []


def _written(node: ast.expr) -> str:
    """The name of what is called, as it is written; of what is called on a result, the end."""
    names: list[str] = []
    while isinstance(node, ast.Attribute):
        names.insert(0, node.attr)
        node = node.value
    return ".".join([node.id if isinstance(node, ast.Name) else "", *names])


def _takes(called: Any) -> str:
    """How torch says that a function of its own is called; of one in Python, without annotations."""
    if isinstance(called, (MethodType, classmethod, staticmethod)):
        called = called.__func__
    if not isinstance(called, (FunctionType, type)):
        first = (getattr(called, "__doc__", None) or "").strip().partition("\n")[0]
        return first if TAKES.match(first) else ""
    try:
        signature = inspect.signature(called)
    except (TypeError, ValueError):
        return ""
    known = [p for name, p in signature.parameters.items() if name not in ("self", "cls")]
    bare = [p.replace(annotation=p.empty) for p in known]
    return f"{called.__qualname__}{inspect.Signature(bare)}"


def _tensors(node: ast.AST, frame: FrameType, torch: Any) -> Iterator[Operand]:
    """Those in the expression, by their names there; those of a list or tuple by their places in it."""
    told: set[str] = set()
    for expression, value in values_in(node, frame, torch):
        name = ast.unparse(expression)
        if name not in told and type(value) in (list, tuple):
            for n, each in enumerate(value[:MOST_TENSORS]):
                yield from _described(f"{name}[{n}]", each, torch)
        elif name not in told:
            yield from _described(name, value, torch)
        told.add(name)


def _described(name: str, value: Any, torch: Any) -> Iterator[Operand]:
    if isinstance(value, torch.Tensor):
        with suppress(Exception):  # a nested tensor has no shape
            yield operand(name, value)


def _given(frames: list[FrameType], torch: Any) -> Iterator[Operand]:
    """The tensors that torch's function was given, by its own names for them."""
    entered = (frame for frame in frames if frame.f_code.co_name not in PLUMBING)
    frame = next(entered, None)
    if frame is not None and is_torch(frame.f_code.co_filename):
        for name in frame.f_code.co_varnames[: frame.f_code.co_argcount]:
            yield from _described(name, frame.f_locals.get(name), torch)


def _span(node: Any, frame: FrameType) -> Span:
    path = frame.f_code.co_filename
    start = _column(frame, node.lineno, node.col_offset)
    end = _column(frame, node.end_lineno, node.end_col_offset)
    return Span(path, node.lineno, start, node.end_lineno, end)


def _column(frame: FrameType, line: int, offset: int) -> int:
    """Of an offset in bytes."""
    text = linecache.getline(frame.f_code.co_filename, line, frame.f_globals)
    return len(text.encode()[:offset].decode(errors="ignore")) + 1
