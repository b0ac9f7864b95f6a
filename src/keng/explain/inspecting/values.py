"""What the values of tensors are like that a failing call was given, where they lie on the CPU and are few
enough to be checked: no value is kept."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from types import FrameType, TracebackType
from typing import Any

from keng.explain.inspecting.operands import MISSING, failing_node, value_of, values_in
from keng.explain.live import LiveError, ValueSummary
from keng.explain.ownership.paths import PLUMBING, is_torch, is_user

MOST_VALUES = 1_000_000
ROUNDING = 1e-3
MOST_LABELS = 10_000_000


def value_summaries(error: LiveError) -> dict[str, ValueSummary]:
    """By the names that the user's deepest line has for them; by those of the function of torch's that it
    called, where that is in Python."""
    _, tracebacks, torch = error
    user = [n for n, tb in enumerate(tracebacks) if is_user(tb.tb_frame.f_code.co_filename)]
    if not user:
        return {}
    below = [tb.tb_frame for tb in tracebacks[user[-1] + 1 :]]
    entered = next((f for f in below if f.f_code.co_name not in PLUMBING), None)
    named = _arguments(entered) if entered is not None else _given(tracebacks[user[-1]], torch)
    return {name: _looked(value, torch) for name, value in named if _plain(value, torch)}


def _arguments(frame: FrameType) -> list[tuple[str, Any]]:
    code = frame.f_code
    names = code.co_varnames[: code.co_argcount] if is_torch(code.co_filename) else ()
    return [(name, frame.f_locals.get(name)) for name in names]


def _given(traceback: TracebackType, torch: Any) -> Iterator[tuple[str, Any]]:
    """What a call is given as it is, and what it is a method of; what an index is written with."""
    node, frame = failing_node(traceback), traceback.tb_frame
    if not isinstance(node, ast.Call):
        found = values_in(node, frame, torch) if node is not None else iter(())
        yield from ((ast.unparse(each), value) for each, value in found)
        return
    owner = [node.func.value] if isinstance(node.func, ast.Attribute) else []
    for each in (*owner, *node.args, *(keyword.value for keyword in node.keywords)):
        value = value_of(each, frame, torch)
        if value is not MISSING:
            yield ast.unparse(each), value


def _plain(value: Any, torch: Any) -> bool:
    dense = type(value) in (torch.Tensor, torch.nn.Parameter) and value.layout is torch.strided
    near = dense and value.device.type == "cpu" and value.is_floating_point()
    return near and 0 < value.numel() <= MOST_VALUES


def _looked(tensor: Any, torch: Any) -> ValueSummary:
    values = tensor.detach().double()
    rows = values.sum(-1) if values.dim() else values
    lowest = float(values.min())
    whole = bool(((rows - 1).abs() < ROUNDING).all())
    return ValueSummary(
        nan=bool(values.isnan().any()),
        infinite=bool(values.isposinf().any()),
        negative=lowest < 0,
        rounded=whole and -ROUNDING < lowest < 0,
        empty=bool((rows == 0).any()) and lowest == 0,
        below_one=bool((values.abs() < 1).all()) and bool(values.any()),
    )


def are_readable_labels(value: Any, torch: Any) -> bool:
    """Whether these are integers in a plain tensor on the CPU, which can be read without waiting."""
    plain = type(value) is torch.Tensor and value.device.type == "cpu"
    whole = plain and not value.is_floating_point() and not value.is_complex()
    return whole and 0 < value.numel() <= MOST_LABELS


def first_true(mask: Any) -> tuple[int, ...]:
    """The index of the first element of a mask that is true; empty if none is."""
    places = mask.nonzero()
    return tuple(int(n) for n in places[0]) if len(places) else ()
