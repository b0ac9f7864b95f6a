"""The state dicts in a checkpoint: what holds tensors by name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from keng.mapping import Entry
from keng.stored import Dict, Opaque, Path, Tensor, dotted, inside

DEPTH = 6
"""Keys from the root to a state dict, at most."""

Tensors = dict[str, Tensor]


def states(root: Any) -> dict[tuple[str, ...], Tensors]:
    """By the keys that lead to them. A pickled module counts as its state dict; what lies under numbers,
    as an optimizer's state does, is none."""
    return {keys: found for keys, node in _holders(root) if (found := tensors_of(node))}


def _holders(root: Any) -> Iterator[tuple[tuple[str, ...], Any]]:
    waiting: list[tuple[tuple[str, ...], Any]] = [((), root)]
    seen: set[int] = set()
    while waiting:
        keys, node = waiting.pop(0)
        if id(node) in seen or len(keys) > DEPTH or not isinstance(node, Dict | Opaque):
            continue
        seen.add(id(node))
        yield keys, node
        if isinstance(node, Dict):
            waiting += [((*keys, key), value) for key, value in node.names.items()]


def tensors_of(node: Any) -> Tensors:
    """Of a dict the tensors right in it; of a module all, by the names that its state dict gives them.
    A tensor that has two names is found under both."""
    if isinstance(node, Dict):
        return {key: value for key, value in node.names.items() if isinstance(value, Tensor)}
    return {dotted(path): tensor for path, tensor in _below(node)}


def _below(node: Any) -> Iterator[tuple[Path, Tensor]]:
    waiting: list[tuple[Path, Any]] = [((), node)]
    seen: set[int] = set()
    while waiting:
        path, each = waiting.pop()
        if isinstance(each, Tensor):
            yield path, each
        elif isinstance(each, Dict | Opaque | list | tuple) and id(each) not in seen:
            seen.add(id(each))
            waiting.extend((path + more, child) for more, child in reversed(list(inside(each))))


def entries(tensors: Tensors) -> dict[str, Entry]:
    return {name: Entry(tensor.shape, tensor.dtype) for name, tensor in tensors.items()}
