"""What a rank reports of the order of its data: which rows it trains on and which it evaluates on, how its
vocabularies number their words, and in which order its lists of names are."""

from __future__ import annotations

import ast
import re
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import CodeType, FrameType
from typing import Any
from weakref import ref

from torch.utils.data import DistributedSampler, Subset

from keng.model import Span
from keng.ranks.collect.contents import content_of
from keng.ranks.collect.joined_rows import joined_rows
from keng.ranks.collect.own_share import share_of
from keng.ranks.collect.section import Looks, Part
from keng.ranks.reports import Content, Joined, Order, Padded, Share, Split
from keng.run.events import BackwardEnd, Batch, StepEnd
from keng.run.frames import here, is_user_made, user_frames
from keng.run.state import RunState
from keng.run.user_code import code_at, code_of

ROWS = 1024
"""Rows of a data set that are remembered of a part: the same ones on every rank."""
WORDS, SOME = 200_000, 64
UNORDERED = re.compile(r"\bset\(|listdir\(|glob\(|iterdir\(|scandir\(|\{[^:{}]+ for ")
"""What gives names in an order that another process may not have."""
REST = re.compile(r"\[\s*:\s*[A-Za-z_]")
"""Takes the first so many of something, by a name."""


@dataclass(slots=True)
class Pass:
    """Of a padded one, the function that reads it, and whether its loop adds up itself. `made` is how many
    collectives the program had called when the last of its passes began."""

    split: Split | None
    padded: Padded | None
    content: Content | None = None
    joined: Joined | None = None
    share: Share | None = None
    made: int = 0
    code: CodeType | None = None
    adds_up: bool = False
    trained: bool = False


class Parts(Part):
    """The parts of data sets, as `random_split` and `Subset` make them, and the padding of samplers."""

    def __init__(self, run: RunState, looks: Looks) -> None:
        super().__init__(run, looks)
        self._passes: dict[int, tuple[ref[Any] | None, Pass]] = {}
        """By the number of the data set, which may define its own hash and equality."""
        self._now: Pass | None = None

    def batch(self, event: Batch) -> None:
        iterator = event.iterator
        if iterator._num_yielded == 1:
            dataset = iterator._dataset
            alive, known = self._passes.get(id(dataset), (None, None))
            if known is None or (alive is not None and alive() is not dataset):
                known = _pass(iterator)
                self._passes[id(dataset)] = _weakly(dataset), known
                if known.code is not None:
                    self.looks.padded.add(known.code)
            self._end_pass()
            known.made = self.looks.made
            self._now = known
            self.listen(BackwardEnd)

    def _end_pass(self) -> None:
        """What collectives were called since its beginning may have joined its results."""
        if self._now is not None and self.looks.made > self._now.made:
            self._now.share = None

    def backward_end(self, event: BackwardEnd) -> None:
        if self._now is not None and event.accumulates:
            self._now.trained = True
        self.ignore(BackwardEnd)

    def draft(self) -> Callable[[], Mapping[str, Any]]:
        self._end_pass()
        passes = [known for _, known in self._passes.values()]
        splits = [p.split._replace(trained=p.trained) for p in passes if p.split is not None]
        counted = [p for p in passes if p.adds_up or p.code in self.looks.gathered]
        padded = [p.padded for p in counted if p.padded is not None and not p.trained]
        contents = tuple(p.content for p in passes if p.content is not None)
        shares = tuple(p.share for p in passes if p.share is not None and not p.trained)
        joined = tuple(p.joined for p in passes if p.joined is not None and not p.trained)
        return lambda: {
            "splits": tuple(splits),
            "padded": tuple(padded),
            "contents": contents,
            "joined": joined,
            "shares": shares,
        }


def _weakly(dataset: Any) -> ref[Any] | None:
    """A reference that keeps nothing alive; a list allows none."""
    try:
        return ref(dataset)
    except TypeError:
        return None


def _pass(iterator: Any) -> Pass:
    dataset = iterator._dataset
    sampler = _sampler(iterator)
    content, joined = content_of(dataset, sampler), joined_rows(sampler)
    found = Pass(_split(dataset), _padded(iterator), content, joined, share_of(sampler))
    frame, where = next(user_frames(), None), found.padded and found.padded.where
    if frame is not None and where is not None:
        found.code, found.adds_up = frame.f_code, _adds_up(where)
    return found


def _split(dataset: Any) -> Split | None:
    rows, root = None, dataset
    while type(root) is Subset:
        own = list(root.indices)
        rows = own if rows is None else [own[row] for row in rows]
        root = root.dataset
    if rows is None:
        return None
    size = len(root)
    step = max(1, size // ROWS)
    # Not every so many-th row: a part may hold just these.
    kept = frozenset(int(row) for row in rows if zlib.crc32(b"%d" % row) % step == 0)
    where = here()
    return Split(size, kept, _call_of(where, "random_split") or where)


def _sampler(iterator: Any) -> Any:
    """What a loader goes by, itself or through batches."""
    sampler = iterator._index_sampler
    return getattr(sampler, "sampler", sampler)


def _padded(iterator: Any) -> Padded | None:
    sampler = _sampler(iterator)
    if not isinstance(sampler, DistributedSampler) or sampler.drop_last:
        return None
    data: Any = sampler.dataset
    size, where = len(data), here()
    if sampler.total_size <= size or where is None or _cuts(where):
        return None
    return Padded(size, sampler.total_size - size, where)


def _cuts(where: Span) -> bool:
    """Whether something in its file may omit the samples that are repeated; so it may where it cannot be
    read."""
    code = code_at(where.path)
    return code is None or "% world" in code.text or REST.search(code.text) is not None


def _adds_up(where: Span) -> bool:
    """Whether the loop at this line does."""
    code = code_at(where.path)
    loops = [] if code is None else [loop for loop in code.of(ast.For) if loop.lineno == where.line]
    adds = (add for loop in loops if code is not None for add in code.below(loop, ast.AugAssign))
    return any(isinstance(add.op, ast.Add) for add in adds)


def _call_of(where: Span | None, name: str) -> Span | None:
    """The only call of a function of this name in the file."""
    code = code_at(where.path) if where is not None else None
    calls = [c for c in code.of(ast.Call) if ast.unparse(c.func).endswith(name)] if code else []
    return Span(where.path, calls[0].lineno) if where is not None and len(calls) == 1 else None


class Orders(Part):
    """Read once, when the first step has been taken."""

    def __init__(self, run: RunState, looks: Looks) -> None:
        super().__init__(run, looks)
        self._orders: dict[str, Order] = {}

    def step_end(self, event: StepEnd) -> None:
        for frame in user_frames():
            for name, thing in _named(frame):
                order = _order(thing)
                if order is not None and name not in self._orders:
                    where, unordered = _assigned(frame, name)
                    # A list has an order of its own where nothing says that it is a chance's.
                    if isinstance(thing, dict) or unordered:
                        self._orders[name] = order._replace(where=where or here())
        self.ignore(StepEnd)

    def draft(self) -> Callable[[], Mapping[str, Any]]:
        orders = dict(self._orders)
        return lambda: {"orders": orders}


def _named(frame: FrameType) -> Iterator[tuple[str, Any]]:
    """Variables, and attributes of objects of the user's own."""
    spaces = [frame.f_locals]
    if frame.f_locals is not frame.f_globals:
        spaces.append(frame.f_globals)
    for space in spaces:
        for name, value in list(space.items()):
            if name.startswith("__"):
                continue
            yield name, value
            for attribute, inner in list(vars(value).items()) if is_user_made(value) else ():
                yield f"{name}.{attribute}", inner


def _order(thing: Any) -> Order | None:
    """Of names that are numbered, or in a row: what they are, and how."""
    if not isinstance(thing, (dict, list)) or not 2 <= len(thing) <= WORDS:
        return None
    if isinstance(thing, dict):
        pairs = list(thing.items())
        if not all(isinstance(k, str) and type(v) is int for k, v in pairs):
            return None
    else:
        if not all(isinstance(each, str) for each in thing):
            return None
        pairs = [(each, at) for at, each in enumerate(thing)]
    members = sum(zlib.crc32(key.encode()) for key, _ in pairs)
    numbers = hash(tuple(sorted(number for _, number in pairs)))
    ways = sum(zlib.crc32(f"{key}\0{number}".encode()) for key, number in pairs)
    kind = "dict" if isinstance(thing, dict) else "list"
    some = _some(thing) if isinstance(thing, dict) else ()
    return Order(kind, len(pairs), members, numbers, ways, None, some)


def _some(numbered: dict[str, int]) -> tuple[tuple[int, int], ...]:
    """Of a numbering: on every rank the names of least digest, which are mostly the same ones."""
    begin = min(numbered.values())
    if sorted(numbered.values()) != list(range(begin, begin + len(numbered))):
        return ()
    digests = {zlib.crc32(name.encode()): number for name, number in numbered.items()}
    return tuple(sorted(digests.items())[:SOME])


def _assigned(frame: FrameType, name: str) -> tuple[Span | None, bool]:
    """Where a name is given its value, and whether that comes in an order of chance and is counted on."""
    code, last = code_of(frame), name.rpartition(".")[2]
    if code is None:
        return None, False
    for node in code.of(ast.Assign):
        target = node.targets[0]
        same = getattr(target, "id", getattr(target, "attr", ""))
        if same == last:
            value = ast.unparse(node.value)
            unordered = bool(UNORDERED.search(value)) and not value.startswith("sorted(")
            used = rf"enumerate\((\w+\.)?{last}\b|\b{last}\.index\(|\b{last}\["
            counted = re.search(used, code.text) is not None
            return Span(frame.f_code.co_filename, node.lineno), unordered and counted
    return None, False
