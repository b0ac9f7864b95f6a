"""Graphs of autograd that are still in memory: their nodes, and why a loss has none."""

from __future__ import annotations

from collections.abc import Iterator
from types import FrameType
from typing import Any

from keng.explain.inspecting.modules import is_users
from keng.explain.live import LiveError, NotLearning

MOST_NODES = 5_000


def not_learning(error: LiveError) -> NotLearning:
    """Whether gradients are off, and the models of the user's frames where none of them learns."""
    torch = error.torch
    models: dict[str, Any] = {}
    for frame in error.frames:
        if is_users(frame):
            local = frame.f_locals.items()
            models.update({n: m for n, m in local if isinstance(m, torch.nn.Module)})
    sizes = {
        name: len(list(model.parameters()))
        for name, model in models.items()
        if not any(parameter.requires_grad for parameter in model.parameters())
    }
    all_frozen = sizes.keys() == models.keys()
    frozen = {name: size for name, size in sizes.items() if size} if all_frozen else {}
    return NotLearning(not torch.is_grad_enabled(), frozen)


def tensors_of(value: Any, torch: Any) -> list[Any]:
    several = value if type(value) in (list, tuple) else (value,)
    return [each for each in several[:100] if isinstance(each, torch.Tensor)]


def tensors_in(frames: list[FrameType], torch: Any) -> Iterator[Any]:
    for frame in reversed(frames):
        for value in list(frame.f_locals.values()):
            yield from tensors_of(value, torch)


def graph_nodes(tensors: Iterator[Any]) -> Iterator[Any]:
    seen: set[Any] = set()
    todo = [tensor.grad_fn for tensor in tensors if tensor.grad_fn is not None]
    while todo and len(seen) < MOST_NODES:
        node = todo.pop(0)
        if node not in seen:
            seen.add(node)
            yield node
            todo += previous_nodes(node)


def previous_nodes(node: Any) -> list[Any]:
    return [before for before, _ in node.next_functions if before is not None]
