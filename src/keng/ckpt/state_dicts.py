"""The state dicts in a checkpoint: what holds tensors by name."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from keng.ckpt.mapping import Entry
from keng.ckpt.nodes import Dict, Opaque, Path, Tensor
from keng.ckpt.summary import optimizer_of
from keng.ckpt.tree import MEMBERS, dotted, walk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

DEPTH = 6
"""Keys from the root to a state dict, at most."""
MOST = 500_000
"""Names of one state dict, and steps to find them: a file may be made to have 2**60."""

Tensors = dict[str, Tensor]


def states(root: Any, again: bool = False) -> dict[tuple[str, ...], Tensors]:
    """By the keys that lead to them, or by all of their names if `again`. A pickled module counts as its
    state dict; what lies under numbers is none, nor is the state of an optimizer, which may lie under the
    parameters' names."""
    return {keys: found for keys, node in _holders(root, again) if (found := tensors_of(node))}


def _holders(root: Any, again: bool) -> Iterator[tuple[tuple[str, ...], Any]]:
    waiting: list[tuple[tuple[str, ...], Any]] = [((), root)]
    seen: set[int] = set()
    while waiting:
        keys, node = waiting.pop(0)
        known = id(node) in seen
        if (known and not again) or len(keys) > DEPTH or not _holds(node):
            continue
        seen.add(id(node))
        yield keys, node
        if isinstance(node, Dict) and not known:
            moments = "state" if optimizer_of(node) is not None else None
            inner = ((key, value) for key, value in node.names.items() if key != moments)
            waiting += [((*keys, key), value) for key, value in inner]


def _holds(node: Any) -> bool:
    """Whether tensors are in it by name."""
    return isinstance(node, Dict) or is_object(node)


def is_object(node: Any) -> bool:
    """Whether it is of a class, and no tensor that is made of several, as a sparse one is."""
    return isinstance(node, Opaque) and not node.name.name.startswith("_rebuild")


def tensors_of(node: Any) -> Tensors:
    """Of a dict the tensors right in it; of a module those that its state dict would have, under all of
    their names; of another object those in it."""
    if isinstance(node, Dict):
        return {key: value for key, value in node.names.items() if isinstance(value, Tensor)}
    found = _of_module(node) if members(node) else _below(node)
    return {dotted(path): tensor for path, tensor in islice(found, MOST)}


def members(node: Any) -> list[tuple[str, Any]]:
    """The parameters, buffers and modules of a pickled module."""
    state = node.state.names if isinstance(node, Opaque) and isinstance(node.state, Dict) else {}
    groups = [state[name] for name in MEMBERS if isinstance(state.get(name), Dict)]
    passing = _items_of(state.get("_non_persistent_buffers_set"))
    pairs = (pair for group in groups for pair in group.names.items())
    return [pair for pair in pairs if pair[0] not in passing]


def _items_of(value: Any) -> list[Any]:
    """Of a set, which protocol 2 makes of a list."""
    if not isinstance(value, Opaque):
        return []
    return [*value.items, *(value.first if isinstance(value.first, list) else ())]


def _of_module(node: Any) -> Iterator[tuple[Path, Tensor]]:
    """A module that is in two places has two names; within itself it is not gone into again."""
    open_: dict[int, tuple[Path, Iterator[tuple[str, Any]]]] = {id(node): ((), iter(members(node)))}
    for _ in range(MOST):
        if not open_:
            return
        last = next(reversed(open_))
        path, inner = open_[last]
        pair = next(inner, None)
        if pair is None:
            del open_[last]
        elif isinstance(pair[1], Tensor):
            yield (*path, pair[0]), pair[1]
        elif id(pair[1]) not in open_:
            open_[id(pair[1])] = (*path, pair[0]), iter(members(pair[1]))


def _below(node: Any) -> Iterator[tuple[Path, Tensor]]:
    return ((path, each) for path, each in walk(node) if isinstance(each, Tensor))


def entries(tensors: Tensors) -> dict[str, Entry]:
    return {name: Entry(tensor.shape, tensor.dtype) for name, tensor in tensors.items()}
