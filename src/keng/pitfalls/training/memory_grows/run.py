"""A running program: a list gets a tensor at every step, and nobody empties it."""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from types import FrameType, FunctionType, ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakKeyDictionary

from torch.nn import Module
from torch.utils.data import Dataset

from keng.model import Span, say
from keng.run.events import EpochBegin, EpochEnd, StepEnd
from keng.run.frames import key_in, user_frames
from keng.run.graph.holders import added_at
from keng.run.recorder import Recorder
from keng.run.sampling import LOOKS, LookRows
from keng.run.state import RunState, memory_of, tensors_in
from keng.run.user_code import class_of, code_of, grown_at

if TYPE_CHECKING:
    from keng.source.code import Code

SAMPLE = 64
FEW = 64
"""Entries of a dictionary that may themselves be containers."""
KINDS = {list, dict, set, deque}
NO_OWNERS = (type, ModuleType, FunctionType, Dataset)
MUCH = 16_000_000
EACH = 1000
"""Bytes. Numbers of each step are kept on purpose, and are not felt."""


class Place(NamedTuple):
    """Where a container hangs: an attribute of `owner`, or a variable of the frame."""

    name: str
    value: Any
    owner: Any
    attribute: str
    frame: FrameType | None


@dataclass(slots=True)
class Growth:
    """Of one container: what it held at each look of this row, and at the end of the last."""

    looks: list[int]
    held: int = 0
    step: int = 0
    passes: int = 0
    rows: int = 0


class GrowingContainers(Recorder):
    """What a dataset keeps is another pitfall, dataset-grows."""

    def __init__(self, run: RunState) -> None:
        super().__init__(run)
        self.known: dict[int, Growth] = {}
        self.rows = LookRows()
        self.passes = 0
        self.begun: WeakKeyDictionary[Any, int] = WeakKeyDictionary()

    def epoch_begin(self, event: EpochBegin) -> None:
        self.begun[event.iterator] = self.run.step

    def epoch_end(self, event: EpochEnd) -> None:
        """An evaluation takes no steps."""
        self.passes += self.run.step > self.begun.get(event.iterator, self.run.step)

    def step_end(self, event: StepEnd) -> None:
        step = self.run.step
        if step < self.rows.due:
            return
        places = {id(place.value): place for place in self._places()}
        for key, place in places.items():
            growth = self.known.get(key)
            if growth is None:
                if self.rows.look:
                    continue
                growth = self.known[key] = Growth([])
            growth.looks.append(len(place.value))
        if self.rows.looked():
            self._judge(places)

    def _judge(self, places: dict[int, Place]) -> None:
        for key, growth in list(self.known.items()):
            looks, growth.looks = growth.looks, []
            grows = len(looks) == LOOKS and all(a < b for a, b in pairwise(looks))
            if key not in places or not grows:
                del self.known[key]
                continue
            self._count(growth, looks[-1])
            if growth.rows > 1:
                self._say(places[key])

    def _count(self, growth: Growth, held: int) -> None:
        """A pass over a loader may gather what its end uses."""
        step, more = self.run.step, held - growth.held
        whole = self.passes > growth.passes or not self.passes
        growth.rows = growth.rows + whole if 2 * more >= step - growth.step else 0
        growth.held, growth.step, growth.passes = held, step, self.passes

    def _say(self, place: Place) -> None:
        name = place.name
        if isinstance(place.owner, Module):
            name = f"{self.run.module_name(place.owner)}.{place.attribute}"
        items, held = len(place.value), _bytes(place.value)
        if held < MUCH or held < EACH * items or (not self.passes and _is_used(place)):
            return
        size = {"items": items, "megabytes": f"{held / 1e6:.0f}"}
        through = say("grows-through-passes", name=name, passes=self.passes, **size)
        says = through if self.passes else say("grows-each-step", name=name, **size)
        self.report(says, where=_filled_at(place), items=items, bytes=held)

    def _places(self) -> Iterator[Place]:
        modules = {id(m): m for root in list(self.run.roots) for m in root.modules()}
        for module in modules.values():
            yield from _of_object("", module)
        frames = list(user_frames())
        for frame in frames:
            yield from _of_variables(frame.f_locals, frame)
        if frames:
            yield from _of_variables(frames[0].f_globals, frames[0])


def _filled_at(place: Place) -> Span | None:
    """The line that puts something in."""
    if place.owner is not None:
        return grown_at(type(place.owner), place.attribute)
    return added_at(place.frame, place.name) if place.frame is not None else None


def _is_used(place: Place) -> bool:
    """Whether anything in the program's files does more with it than to put something in."""
    name = place.attribute
    codes = [code for frame in user_frames() if (code := code_of(frame)) is not None]
    if any(_reads(c, n) for c in codes for n in _named(c, name)):
        return True
    owner: type = type(place.owner)
    found = class_of(owner) if place.owner is not None else None
    if found is None:
        return False
    code, body = found
    return any(_reads(code, node) for node in _named(code, name) if code.within(node, body))


def _of_variables(variables: dict[str, Any], frame: FrameType) -> Iterator[Place]:
    for name, value in _gathering(variables):
        yield Place(name, value, None, name, frame)
    for name, value in list(variables.items()):
        if isinstance(value, dict):
            for key, inner in _gathering(value) if len(value) <= FEW else ():
                yield Place(f"{name}[{key_in(key)}]", inner, None, name, frame)
        elif hasattr(value, "__dict__") and not isinstance(value, NO_OWNERS):
            yield from _of_object(name, value)


def _of_object(name: str, owner: Any) -> Iterator[Place]:
    for attribute, value in _gathering(vars(owner)):
        yield Place(f"{name}.{attribute}", value, owner, attribute, None)


def _gathering(things: Mapping[Any, Any]) -> Iterator[tuple[Any, Any]]:
    """The containers among them that may grow without end, by their names."""
    for name, value in list(things.items()):
        if type(value) in KINDS and len(value) > 1 and getattr(value, "maxlen", None) is None:
            yield name, value


def _bytes(container: Any) -> int:
    """About what its items keep alive, by some of them: of tensors and arrays alone, each piece of memory
    counted once."""
    items = list(container.values() if isinstance(container, dict) else container)
    some = items[:: max(len(items) // SAMPLE, 1)]
    pieces = {}
    for item in some:
        tensors = list(tensors_in(item))
        for tensor in tensors:
            if tensor.grad_fn is not None:  # a kept graph is another matter
                return 0
            address, size = memory_of(tensor)
            pieces[address] = size
        if not tensors and (array := getattr(item, "nbytes", 0)):
            pieces[id(item)] = int(array)
    return sum(pieces.values()) * len(items) // len(some)


def _named(code: Code, name: str) -> list[ast.Name | ast.Attribute]:
    tree = code.tree
    return [*tree.names_by_id.get(name, []), *tree.attributes_by_name.get(name, [])]


def _reads(code: Code, node: ast.Name | ast.Attribute) -> bool:
    """Whether a container is read here, not filled."""
    if not isinstance(node.ctx, ast.Load):
        return False
    match code.tree.parent[node]:
        case ast.Attribute(attr="append" | "appendleft" | "add" | "extend" | "insert" | "update"):
            return False
        case ast.Subscript(ctx=ast.Store()):
            return False
    return True
