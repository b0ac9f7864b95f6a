"""The tree of a checkpoint, walked: a file may make it a graph with cycles, or one in which a node has
2**60 paths, so each node is iterated once."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator

from keng.ckpt.nodes import Dict, Opaque, Path, Storage, Tensor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeVar

    Node = TypeVar("Node")

DEEPEST = 500
"""Levels of a tree that are checked; torch's own machine, which recurses, gives up at 1000."""
NODES = (list, tuple, Dict, Opaque, Tensor, Storage)
PLAIN = {type(None), bool, int, float, complex, str, bytes}
NAMED = (str, int, float, type(None))
MEMBERS = ("_parameters", "_buffers", "_modules")


def dotted(path: Path) -> str:
    """ "state_dict.layer.weight" """
    return ".".join(str(key) if isinstance(key, NAMED) else "?" for key in path)


def by_name(nodes: Iterable[tuple[Path, Node]]) -> dict[str, Node]:
    """By dotted names. Of paths that read alike, as where a key has a dot in it, the later have a number."""
    made: dict[str, Node] = {}
    times: dict[str, int] = {}
    for path, node in nodes:
        name = dotted(path)
        n = times[name] = times.get(name, 0) + 1
        made[f"{name} ({n})" if n > 1 else name] = node
    return made


def walk(root: Any, plain: bool = True) -> Iterator[tuple[Path, Any]]:
    """Every node once, with its first path, before what is in it; a tensor under each name that it has in
    what is iterated, as a weight that two layers share has two. Of a pickled module the parameters,
    buffers and modules go by the names that its state dict would give them. Where `plain` is not wanted,
    lists of nothing but plain values are not gone through."""
    yield (), root
    seen = {id(root)}
    open_: list[tuple[Path, Iterator[tuple[Path, Any]]]] = [((), inside(root, plain, seen))]
    while open_:
        path, children = open_[-1]
        more, node = next(children, (None, None))
        if more is None:
            open_.pop()
        elif not isinstance(node, NODES):
            yield path + more, node
        elif id(node) not in seen:
            seen.add(id(node))
            yield path + more, node
            if len(open_) < DEEPEST:
                open_.append((path + more, inside(node, plain, seen)))
        elif isinstance(node, Tensor) and isinstance(more[-1], str):
            yield path + more, node


def inside(node: Any, plain: bool = True, seen: Container[int] = ()) -> Iterator[tuple[Path, Any]]:
    """What lies in a node, by the path from it, without items whose ids are among those `seen` by then:
    a file of some megabytes may list one node millions of times."""
    if isinstance(node, Dict):
        yield from (((key,), value) for key, value in node.pairs)
    elif isinstance(node, list | tuple):
        yield from _numbered(node, plain, seen)
    elif isinstance(node, Tensor) and node.state is not None:
        yield ("state",), node.state
    elif isinstance(node, Opaque):
        yield from _numbered(node.items, plain, seen)
        yield from (((key,), value) for key, value in node.pairs)
        yield from (((f"args[{n}]",), each) for n, each in enumerate(_sequence(node.args)))
        yield from _attributes(node.state)


def _numbered(
    values: list[Any] | tuple[Any, ...], plain: bool, seen: Container[int]
) -> Iterator[tuple[Path, Any]]:
    if not plain and PLAIN.issuperset(map(type, values)):
        return iter(())
    return (((n,), v) for n, v in enumerate(values) if id(v) not in seen)


def _attributes(state: Any) -> Iterator[tuple[Path, Any]]:
    if not isinstance(state, Dict):
        if state is not None:
            yield ("state",), state
        return
    for key, value in state.pairs:
        if key in MEMBERS and isinstance(value, Dict):
            yield from (((name,), member) for name, member in value.pairs)
        else:
            yield (key,), value


def _sequence(value: Any) -> Iterator[Any]:
    return iter(value if isinstance(value, list | tuple) else (value,))


def storages_of(node: Any) -> Iterator[Storage]:
    if isinstance(node, Storage):
        yield node
    elif isinstance(node, Tensor):
        if not node.parts:
            yield node.storage
        yield from (storage for part in node.parts for storage in storages_of(part.tensor))
