"""Layers that are one on one side and several on the other: the query, key and value of an attention.

Before names are compared, a fused layer is taken apart where it is known how its parts lie; what was found
for the parts is then put together again. The layer behind it tells how many rows the first part has.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Set
from typing import NamedTuple

from keng.ckpt.mapping.names import ROLE, unwrapped
from keng.ckpt.mapping.plan import Entries, Entry, Move, Shape
from keng.tables.state_names import FUSED, LAID_OUT, QUANTIZED

NAME = re.compile(
    rf"(?P<front>(?:.*\.)?)(?P<layer>{'|'.join(map(re.escape, FUSED))})(?P<end>weight|bias)"
)
ENDS = ("weight", "bias")
Roles = tuple[str, ...]


class Part(NamedTuple):
    """Rows of a fused entry, of its columns where it is turned: first, last and all."""

    whole: str
    rows: tuple[int, int, int]
    turned: bool


class Fused(NamedTuple):
    """A fused layer, and the one behind it. `sizes` are the rows of its parts; empty where it is not known
    how they lie."""

    front: str
    layer: str
    sizes: tuple[int, ...] = ()
    turned: bool = False
    behind: str = ""

    @property
    def roles(self) -> Roles:
        return FUSED[self.layer]


class Side(NamedTuple):
    """The entries of a file or model, those of fused layers in parts that have names of their own.
    `turned` are matrices that stand as these did, which may be square."""

    entries: dict[str, Entry]
    parts: dict[str, Part]
    wholes: dict[str, list[str]]
    turned: set[str]

    def real(self, name: str) -> str:
        return self.parts[name].whole if name in self.parts else name


def apart(file: Entries, model: Entries) -> tuple[Side, Side]:
    ours, theirs = _fused(file), _fused(model)
    return _side(file, ours, model, theirs), _side(model, theirs, file, ours)


def _side(entries: Entries, ours: list[Fused], other: Entries, theirs: list[Fused]) -> Side:
    """A layer stays as it is where the other side has its like, or nothing that its parts go into."""
    kept = {each.layer for each in theirs}
    unsure = {each.roles for each in theirs if not each.sizes}
    called = {roles: _called(roles, other, theirs) for roles in {each.roles for each in ours}}
    side = Side(dict(entries), {}, {}, set())
    for each in ours:
        names = called[each.roles]
        if each.sizes and names and each.layer not in kept and each.roles not in unsure:
            for end in ENDS:
                _take_apart(side, each, names, end)
            if each.turned:
                side.turned.add(f"{each.front}{each.behind}.weight")
    return side


def _take_apart(side: Side, fused: Fused, names: Roles, end: str) -> None:
    whole, start = f"{fused.front}{fused.layer}{end}", 0
    made = [f"{fused.front}{name}.{end}" for name in names]
    if whole not in side.entries or any(name in side.entries for name in made):
        return
    entry = side.entries.pop(whole)
    side.wholes[whole] = made
    for name, size in zip(made, fused.sizes, strict=True):
        rows = start, start + size, sum(fused.sizes)
        part = Part(whole, rows, fused.turned and end == "weight")
        shape = (entry.shape or ())[:: -1 if part.turned else 1]
        side.parts[name], start = part, start + size
        side.entries[name] = Entry((size, *shape[1:]), entry.dtype)


def _called(roles: Roles, entries: Entries, fused: list[Fused]) -> Roles:
    """What the parts are called there; by their roles where it has them in another fused layer."""
    found = {role: Counter[str]() for role in roles}
    for name in entries:
        layer, role = _single(name)
        if role in found:
            found[role][layer] += 1
    if all(found.values()):
        return tuple(names.most_common(1)[0][0] for names in found.values())
    return roles if any(each.roles == roles and each.sizes for each in fused) else ()


def _single(name: str) -> tuple[str, str]:
    """The layer whose weight or bias it is, and its role."""
    front, _, end = unwrapped(name).rpartition(".")
    layer = front.rpartition(".")[2]
    return layer, ROLE.get(layer.lower(), "") if end in ENDS else ""


def _fused(entries: Entries) -> list[Fused]:
    found = [match for name in entries if (match := NAME.fullmatch(name))]
    beside: dict[str, set[str]] = defaultdict(set)
    for name in entries if found else ():
        parts = name.split(".")
        for n in range(len(parts)):
            beside[".".join([*parts[:n], ""])].add(".".join(parts[n : n + 2]))
    layers = dict.fromkeys((match["front"], match["layer"]) for match in found)
    return [_known(entries, front, layer, beside[front]) for front, layer in layers]


def _known(entries: Entries, front: str, layer: str, beside: Set[str]) -> Fused:
    """How its parts lie, where all that is next to it tells whose layer it is."""
    whole = entries.get(f"{front}{layer}weight", Entry())
    for name, behind, may, place, turned in LAID_OUT if _is_plain(whole) else ():
        own = {f"{each}{end}" for each in (layer, f"{behind}.") for end in ENDS}
        strange = {each for each in beside - own if each.partition(".")[0] not in may}
        if name != layer or strange or not re.search(place, unwrapped(front)):
            continue
        last = entries.get(f"{front}{behind}.weight", Entry())
        one, other = ((each.shape or ())[:: -1 if turned else 1] for each in (whole, last))
        if sizes := _sizes(one, other, len(FUSED[layer])):
            return Fused(front, layer, sizes, turned, behind)
    return Fused(front, layer)


def _is_plain(entry: Entry) -> bool:
    """A matrix, and not quantized."""
    return len(entry.shape or ()) == 2 and not entry.dtype.startswith(QUANTIZED)


def _sizes(whole: Shape, last: Shape, count: int) -> tuple[int, ...]:
    """The first part gives as many outputs as the layer behind takes; the others are as large, or, of
    keys and values for groups of queries, a part of that."""
    if len(last) != 2 or not last[1]:
        return ()
    first = last[1]
    other, over = divmod(whole[0] - first, count - 1)
    grouped = other > 0 and not over and not first % other
    return (first, *[other] * (count - 1)) if grouped and (count > 2 or other == first) else ()


def together(moves: list[Move], file: Side, model: Side) -> list[Move]:
    """The moves of whole entries. What not all parts of an entry of the model were found for is left."""
    made = []
    joined: dict[str, dict[str, str]] = defaultdict(dict)
    for move in moves:
        part = file.parts.get(move.source)
        if move.target in model.parts:
            joined[model.real(move.target)][move.target] = move.source if move.how == "copy" else ""
        elif part is None:
            made.append(move)
        elif move.how == "copy":
            split = Move(part.whole, move.target, "split", move.shape, part.rows)
            made.append(split._replace(turned=part.turned))
    for whole, found in joined.items():
        sources = [found.get(name, "") for name in model.wholes[whole]]
        made += _joined(whole, sources, model.parts[model.wholes[whole][0]].turned, file)
    return made


def _joined(whole: str, sources: list[str], turned: bool, file: Side) -> Iterator[Move]:
    """Of as many entries, or of another fused one."""
    first = file.parts.get(sources[0])
    if all(source and source not in file.parts for source in sources):
        yield Move(sources[0], whole, "join", None, (), tuple(sources[1:]), turned)
    elif first is not None and sources == file.wholes[first.whole]:
        yield Move(first.whole, whole, "copy" if turned == first.turned else "transpose")


def differ(one: str, other: str) -> bool:
    """Whether both are fused layers, whose parts may lie otherwise: known ones were taken apart."""
    found, wanted = NAME.fullmatch(one), NAME.fullmatch(other)
    return bool(found and wanted and found["layer"] != wanted["layer"])


def hidden(names: Collection[str], others: Collection[str]) -> set[str]:
    """Which of the names that are left may lie in a fused layer of the other side, or it in them."""
    inside, alone = _roles_in(others), {_single(name)[1] for name in others} - {""}
    return {name for name in names if _single(name)[1] in inside or _roles_in([name]) & alone}


def _roles_in(names: Collection[str]) -> set[str]:
    found = (NAME.fullmatch(name) for name in names)
    return {role for match in found if match for role in FUSED[match["layer"]]}
