"""What a graph of autograd that is still there tells of an error: which value was changed in place, by what
and, where anomaly mode has recorded them, on which lines; why a loss has no graph; what the graph
of a loss reaches."""

from __future__ import annotations

import re
from collections.abc import Iterator
from types import FrameType
from typing import Any

from keng.explain.paths import is_user
from keng.failures import Changed, Frame, Unlearned

MOST_NODES = 5_000
CHANGED = "modified by an inplace operation"
FREED = "backward through the graph a second time"
FILE = re.compile(
    r'\s*File "(?P<path>[^"]+)", line (?P<line>\d+), in (?P<name>.*)\n\s*(?P<text>.*)'
)

IN_PLACE = re.compile(r"[-+*/@|&^%]=|\w_\(|\]\s*=(?!=)|inplace=True")
MAY_CHANGE = re.compile(
    r"(?:Add|Sub|Mul|Div|Pow|Clamp\w*|Relu|LeakyRelu|Elu|Hardtanh|Sigmoid|Tanh|Exp|Sqrt|Neg|Copy\w*|Fill|Zero|"
    r"MaskedFill|MaskedScatter|Index\w+|Scatter\w*|Dropout|NativeDropout|Addmm|Addcmul|Addcdiv)Backward\d*$"
)
"""Operations that have a form which works in place."""


def changed_in(frames: list[FrameType], torch: Any) -> Changed | None:
    """Of the graphs that hang on the tensors of the frames. No value is computed: a node that has kept a
    tensor raises where the tensor has been changed since."""
    nodes = list(_nodes(_tensors(frames, torch)))
    for node in nodes:
        kept = _changed_name(node)
        if kept is None:
            continue
        made = next((n for n in (node, *_before(node)) if _name(n) == kept), node)
        after = [n for n in nodes if made in _before(n) and _may_change(n)]
        told = [n for n in after if IN_PLACE.search(getattr(_line(n), "text", ""))]
        by = told[0] if told else after[0] if len(after) == 1 else None
        return Changed(_line(made), _name(by) if by else "", _line(by) if told else None)
    return None


def unlearned_in(frames: list[FrameType], torch: Any) -> Unlearned:
    """Whether gradients are off, and the models of the user's frames where none of them learns."""
    models: dict[str, Any] = {}
    for frame in frames:
        if is_user(frame.f_code.co_filename):
            local = frame.f_locals.items()
            models.update({n: m for n, m in local if isinstance(m, torch.nn.Module)})
    sizes = {
        name: len(list(model.parameters()))
        for name, model in models.items()
        if not any(parameter.requires_grad for parameter in model.parameters())
    }
    frozen = (
        {name: size for name, size in sizes.items() if size}
        if sizes.keys() == models.keys()
        else {}
    )
    return Unlearned(not torch.is_grad_enabled(), frozen)


def reached_in(frames: list[FrameType], torch: Any) -> tuple[str, ...]:
    """The variables of the user's frames that lie in the graph of the loss whose backward raised."""
    losses = [t for f in frames for t in _parts(f.f_locals.get("t_outputs"), torch)]
    nodes = set(_nodes(iter(losses)))
    return tuple(
        name
        for frame in reversed(frames)
        if is_user(frame.f_code.co_filename)
        for name, value in frame.f_locals.items()
        if any(tensor.grad_fn in nodes for tensor in _parts(value, torch))
    )


def _parts(value: Any, torch: Any) -> list[Any]:
    several = value if type(value) in (list, tuple) else (value,)
    return [each for each in several[:100] if isinstance(each, torch.Tensor)]


def _tensors(frames: list[FrameType], torch: Any) -> Iterator[Any]:
    for frame in reversed(frames):
        for value in list(frame.f_locals.values()):
            yield from _parts(value, torch)


def _nodes(tensors: Iterator[Any]) -> Iterator[Any]:
    seen: set[Any] = set()
    todo = [tensor.grad_fn for tensor in tensors if tensor.grad_fn is not None]
    while todo and len(seen) < MOST_NODES:
        node = todo.pop(0)
        if node not in seen:
            seen.add(node)
            yield node
            todo += _before(node)


def _before(node: Any) -> list[Any]:
    return [before for before, _ in node.next_functions if before is not None]


def _name(node: Any) -> str:
    name = str(node.name()).rpartition("::")[2]
    return re.sub(r"Backward\d*$", "", name)


def _may_change(node: Any) -> bool:
    name = str(node.name())
    return name.endswith("CopySlices") or MAY_CHANGE.search(name) is not None


def _changed_name(node: Any) -> str | None:
    """The operation that made what this node has kept and has been changed since."""
    for attribute in dir(node):
        if attribute.startswith("_saved_"):
            try:
                getattr(node, attribute)
            except RuntimeError as error:
                if CHANGED in str(error):
                    found = re.search(r"is output \d+ of (\w+)", str(error))
                    return re.sub(r"Backward\d*$", "", found[1]) if found else ""
    return None


def _line(node: Any) -> Frame | None:
    """The user's line that made a node, where anomaly mode has recorded it."""
    recorded = (node.metadata.get("traceback_") if node is not None else None) or []
    for entry in reversed("".join(recorded).split("\n  File ")):
        found = FILE.match(f"  File {entry}" if not entry.startswith("  File") else entry)
        if found is not None and is_user(found["path"]):
            return Frame(found["path"], int(found["line"]), found["name"], found["text"], True)
    return None
