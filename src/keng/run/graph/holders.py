"""Looks for the variable, list or attribute that keeps graphs alive."""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from types import FrameType, ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

import torch

from keng.model import Span
from keng.run.frames import is_user_made, key_in, user_frames
from keng.run.state import MARK, memory_of
from keng.run.user_code import code_of, line

if TYPE_CHECKING:
    from keng.run.state import Mark
    from keng.source.code import Code

NODES = 20_000
"""Nodes of graphs that are walked for one candidate."""
ITEMS = 20_000
ADDERS = {"add", "append", "appendleft", "extend", "insert"}
NODE_BYTES = 640
"""What a node costs whose saved tensors are gone: torch 2.13 keeps 3.8 kB for a graph of six."""


class Holder(NamedTuple):
    """What keeps graphs alive: the variable, list or attribute as the user names it, and the line
    that puts them there. `bounded` where it is of a fixed length."""

    name: str
    where: Span | None
    bounded: bool


@dataclass(frozen=True, slots=True)
class Found:
    holder: Holder
    bytes_a_graph: float


@dataclass(frozen=True, slots=True)
class Candidate:
    name: str
    tensors: list[Any]
    bounded: bool
    frame: FrameType


def find_holder(marks: set[Mark]) -> Found | None:
    """The thing in the user's running frames from which most of the graphs are reached, where it is
    at least half of them."""
    held = [(*_walk(each.tensors, marks), each) for each in candidates()]
    most = max((reached for reached, _, _ in held), default=0)
    if most * 2 < len(marks):
        return None
    first, *others = (each for each in held if each[0] == most)
    # An average is computed again each time, from the sum that keeps them.
    adding = (each for each in (first, *others) if _added_at(each[2].frame, each[2].name))
    reached, size, candidate = next(adding, first)
    where = added_at(candidate.frame, candidate.name)
    return Found(Holder(candidate.name, where, candidate.bounded), size / reached)


def candidates() -> Iterator[Candidate]:
    for frame in user_frames():
        spaces = [frame.f_locals]
        if frame.f_locals is not frame.f_globals:
            spaces.append(frame.f_globals)
        for space in spaces:
            for name, value in list(space.items()):
                yield from _of(name, value, frame, depth=2)


def _of(name: str, value: Any, frame: FrameType, depth: int) -> Iterator[Candidate]:
    if isinstance(value, torch.Tensor):
        if value.grad_fn is not None:
            yield Candidate(name, [value], False, frame)
    elif isinstance(value, (list, tuple, set, deque)):
        tensors = list(_graphs_in(value))
        if tensors:
            yield Candidate(name, tensors, getattr(value, "maxlen", None) is not None, frame)
    elif depth and isinstance(value, dict):
        for key, inner in list(value.items())[:ITEMS]:
            yield from _of(f"{name}[{key_in(key)}]", inner, frame, depth - 1)
        tensors = list(_graphs_in(value.values()))
        if len(tensors) > 1:
            yield Candidate(name, tensors, False, frame)
    elif depth and hasattr(value, "__dict__") and not isinstance(value, (type, ModuleType)):
        for key, inner in list(vars(value).items()):
            yield from _of(f"{name}.{key}", inner, frame, depth - 1)


def _graphs_in(things: Iterable[Any], depth: int = 2) -> Iterator[Any]:
    for thing in list(things)[:ITEMS]:
        if isinstance(thing, torch.Tensor):
            if thing.grad_fn is not None:
                yield thing
        elif depth and isinstance(thing, (list, tuple)):
            yield from _graphs_in(thing, depth - 1)
        elif depth and isinstance(thing, dict):
            yield from _graphs_in(thing.values(), depth - 1)
        elif depth and is_user_made(thing):
            yield from _graphs_in(vars(thing).values(), depth - 1)


def _walk(tensors: list[Any], marks: set[Mark]) -> tuple[int, float]:
    """How many of the marks are reached from these tensors, and the bytes of the graphs walked."""
    nodes = deque(tensor.grad_fn for tensor in tensors)
    seen: set[Any] = set()
    storages: dict[int, int] = {}
    reached, room = 0, NODES
    while nodes and room:
        node = nodes.popleft()
        if node is None or node in seen:
            continue
        seen.add(node)
        room -= 1
        reached += node.metadata.get(MARK) in marks
        storages.update(_saved(node))
        nodes.extend(after for after, _ in node.next_functions)
    return reached, sum(storages.values()) + NODE_BYTES * len(seen)


def _saved(node: Any) -> Iterator[tuple[int, int]]:
    """Address and size of the storages that a node has saved and still holds."""
    for tensor in saved_tensors(node):
        yield memory_of(tensor)


def saved_tensors(node: Any) -> Iterator[torch.Tensor]:
    """What a node has saved and still holds, parameters apart."""
    kind: Any = type(node)
    for name in _saved_names(kind):
        try:
            saved = getattr(node, name)
        except RuntimeError:  # freed by the backward
            return
        for tensor in saved if isinstance(saved, (tuple, list)) else (saved,):
            if isinstance(tensor, torch.Tensor) and not isinstance(tensor, torch.nn.Parameter):
                yield tensor


@cache
def _saved_names(kind: type) -> tuple[str, ...]:
    return tuple(name for name in dir(kind) if name.startswith("_saved_"))


def added_at(frame: FrameType, name: str) -> Span:
    """The line that adds to a name, else the line that runs now."""
    return _added_at(frame, name) or Span(frame.f_code.co_filename, frame.f_lineno)


def _added_at(frame: FrameType, name: str) -> Span | None:
    """In the function that runs, else anywhere in its file, where an attribute may have another owner's
    name."""
    code = code_of(frame)
    if code is None:
        return None
    for body in (code.tree.body_at(frame.f_lineno), code.tree.root):
        for node in _statements_and_calls(code, body):
            if _adds(node, name):
                return line(code, node)
        name = name[name.rfind(".") :] if "." in name else name
    return None


def _statements_and_calls(code: Code, body: ast.AST) -> list[ast.stmt | ast.expr]:
    assigned: list[ast.stmt | ast.expr] = [*code.below(body, ast.AugAssign, ast.Assign)]
    return [*assigned, *code.below(body, ast.Call)]


def _adds(node: ast.stmt | ast.expr, name: str) -> bool:
    """`total += loss`, `total = total + loss`, `kept[step] = loss`, `losses.append(loss)`."""

    def is_it(target: ast.AST) -> bool:
        text = ast.unparse(target)
        return text.endswith(name) if name.startswith(".") else text == name

    match node:
        case ast.AugAssign(target=target):
            return is_it(target)
        case ast.Assign(targets=[ast.Subscript(value=target)]) if is_it(target):
            return True
        case ast.Assign(targets=[target], value=value):
            names = (n for n in ast.walk(value) if isinstance(n, (ast.Name, ast.Attribute)))
            return is_it(target) and any(is_it(n) for n in names)
        case ast.Call(func=ast.Attribute(value=target, attr=attr)):
            return attr in ADDERS and is_it(target)
    return False
