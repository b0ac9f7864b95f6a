"""An exception -> its errors, with what only the live objects can tell.

Shapes, dtypes, devices and names; never a value, and no operation on a tensor but the smallest and
largest label of a batch that lies on the CPU. torch is looked for among the loaded modules and not
imported.
"""

from __future__ import annotations

import ast
import linecache
import sys
from collections.abc import Iterator
from contextlib import suppress
from types import FrameType, TracebackType
from typing import Any

from keng.explain.reading import FOREIGN, Error, Report
from keng.moments import Frame, Labels, Layer, Live, Operand

DEEPEST = 50
"""Causes of causes that are followed."""
MOST_LABELS = 10_000_000
SIMPLE = (int, float, bool, str, tuple)


def seen(error: BaseException) -> Report:
    """The chain of an exception, the first cause first."""
    chain: list[BaseException] = []
    at: BaseException | None = error
    while at is not None and at not in chain and len(chain) < DEEPEST:
        chain.append(at)
        at = at.__cause__ or (None if at.__suppress_context__ else at.__context__)
    return Report(tuple(_error(e, final=e is error) for e in reversed(chain)))


def _error(error: BaseException, final: bool) -> Error:
    kind = type(error)
    module = "" if kind.__module__ == "builtins" else f"{kind.__module__}."
    try:
        message = str(error)
    except Exception:
        message = ""
    stack = list(_stack(error.__traceback__))
    live = Live()
    if final and "torch" in sys.modules:
        with suppress(Exception):  # what cannot be told is left out
            live = _live(stack)
    frames = tuple(_frame(frame, line) for frame, line, _ in stack)
    return Error(f"{module}{kind.__qualname__}", message, frames, final, live=live)


Entry = tuple[FrameType, int, TracebackType]


def _stack(at: TracebackType | None) -> Iterator[Entry]:
    while at is not None:
        yield at.tb_frame, at.tb_lineno, at
        at = at.tb_next


def _frame(frame: FrameType, line: int) -> Frame:
    path = frame.f_code.co_filename
    text = linecache.getline(path, line, frame.f_globals).strip()
    name = getattr(frame.f_code, "co_qualname", frame.f_code.co_name)
    return Frame(path, line, name, text, is_user(path))


def is_user(path: str) -> bool:
    return not FOREIGN.search(path) and not path.startswith("<frozen")


def _live(stack: list[Entry]) -> Live:
    users = [entry for entry in stack if is_user(entry[0].f_code.co_filename)]
    operands = tuple(_operands(users[-1])) if users else ()
    return Live(operands, _layer(stack, users), _labels(stack))


def _operands(entry: Entry) -> Iterator[Operand]:
    """The tensors that the failing expression names."""
    import executing

    torch = sys.modules["torch"]
    frame, _, traceback = entry
    node = executing.Source.executing(traceback).node
    told: set[str] = set()
    for part in ast.walk(node) if node is not None else ():
        if isinstance(part, (ast.Name, ast.Attribute)):
            value = _looked_up(part, frame)
            name = ast.unparse(part)
            if isinstance(value, torch.Tensor) and name not in told:
                told.add(name)
                yield _operand(name, value)


def _operand(name: str, tensor: Any) -> Operand:
    shape = tuple(int(n) for n in tensor.shape)
    dtype = str(tensor.dtype).removeprefix("torch.")
    device = str(tensor.device)
    return Operand(name, shape, dtype, device, bool(tensor.requires_grad), bool(tensor.is_leaf))


def _looked_up(node: ast.expr, frame: FrameType) -> Any:
    """What a name or dotted name holds in a frame, without running any code of the user's."""
    if isinstance(node, ast.Name):
        return frame.f_locals.get(node.id, frame.f_globals.get(node.id))
    if isinstance(node, ast.Attribute):
        owner = _looked_up(node.value, frame)
        for place in ("__dict__", "_parameters", "_buffers", "_modules"):
            held = getattr(owner, "__dict__", {})
            held = held if place == "__dict__" else held.get(place) or {}
            if node.attr in held:
                return held[node.attr]
    return None


def _layer(stack: list[Entry], users: list[Entry]) -> Layer | None:
    """The innermost module whose forward was running."""
    module_class = sys.modules["torch"].nn.Module
    running = [frame.f_locals.get("self") for frame, _, _ in stack]
    modules = [thing for thing in running if isinstance(thing, module_class)]
    if not modules:
        return None
    layer = modules[-1]
    kind = type(layer)
    wanted = getattr(kind, "__constants__", ())
    settings = {n: v for n in wanted if isinstance(v := getattr(layer, n, None), SIMPLE)}
    return Layer(_path_of(layer, users, module_class), kind.__name__, settings)


def _path_of(layer: Any, users: list[Entry], module_class: type) -> str:
    """A module's path from a variable of the user's, the outermost that leads to it."""
    for frame, _, _ in users:
        for name, value in [*frame.f_locals.items(), *frame.f_globals.items()]:
            if name != "self" and isinstance(value, module_class):
                for path, inner in value.named_modules():
                    if inner is layer:
                        return f"{name}.{path}" if path else name
    for frame, _, _ in users:
        owner = frame.f_locals.get("self")
        held = owner.named_modules() if isinstance(owner, module_class) else ()
        for path, inner in held:
            if inner is layer:
                return f"self.{path}" if path else "self"
    return ""


def _labels(stack: list[Entry]) -> Labels | None:
    """The labels that a loss of torch.nn.functional was given, against the classes of its input."""
    torch = sys.modules["torch"]
    for frame, _, _ in reversed(stack):
        if frame.f_code.co_name not in ("cross_entropy", "nll_loss"):
            continue
        given, target = frame.f_locals.get("input"), frame.f_locals.get("target")
        if not isinstance(given, torch.Tensor) or not isinstance(target, torch.Tensor):
            continue
        whole = target.device.type == "cpu" and target.dtype in (torch.int64, torch.uint8)
        if whole and 0 < target.numel() <= MOST_LABELS and given.dim():
            with torch.no_grad():
                kept = target[target != frame.f_locals.get("ignore_index", -100)]
                if kept.numel():
                    classes = given.shape[1] if given.dim() > 1 else given.shape[0]
                    return Labels(int(kept.min()), int(kept.max()), int(classes))
    return None
