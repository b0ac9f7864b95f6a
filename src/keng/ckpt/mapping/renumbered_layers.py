"""Layers in a row that have other numbers in the file than in the model: a Dropout came between them,
they count from 1, the model is made of the children of another. Their order tells which is which, where
equal numbers would lead one layer's values into another."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping
from itertools import islice
from typing import NamedTuple

from keng.ckpt.mapping.plan import Shape
from keng.tables.state_names import COUNTERS

NUMBER = re.compile(r"(?<![\d])\d{1,6}(?=\.)")
AT_LEAST = 2
"""Layers that make a row."""

Entries = Mapping[str, Shape]
Numbers = list[tuple[str, str]]


class Layer(NamedTuple):
    """What tells its kind, and the ends of all of its names: older files lack the counters."""

    kind: frozenset[tuple[str, Shape]]
    ends: frozenset[str]


Row = dict[str, Layer]
"""By the number of the layer, in their order."""


class Renumbered(NamedTuple):
    """What is before the numbers in the file and in the model, and the names that go together."""

    old: str
    new: str
    pairs: dict[str, str]


def renumbered(file: Entries, model: Entries) -> list[Renumbered]:
    """The rows of the file that go into rows of the model under other numbers, or another name with
    numbers; the outer ones first. A row that could go into two, or two into one, is left out."""
    rows, others = _rows(file), _rows(model)
    same = set(_of_one_name(rows, others))
    known = {old for old, _ in same}, {new for _, new in same}
    alone = [
        [front for front in each if front not in seen and not NUMBER.search(front)]
        for each, seen in zip((rows, others), known, strict=True)
    ]
    pairs = [pair for pair in sorted(same) if _differ(rows[pair[0]], others[pair[1]])]
    pairs += [(old, new) for old in alone[0] for new in alone[1]]
    found = {}
    for old, new in pairs:
        numbers = _in_order(rows[old], others[new])
        if (old, new) not in same or any(one != other for one, other in numbers):
            found[old, new] = numbers
    found = {pair: numbers for pair, numbers in found.items() if numbers}
    times = Counter(old for old, _ in found), Counter(new for _, new in found)
    return [
        Renumbered(old, new, dict(_names(old, new, numbers, rows[old], others[new])))
        for (old, new), numbers in found.items()
        if times[0][old] == times[1][new] == 1
    ]


def _names(old: str, new: str, numbers: Numbers, row: Row, other: Row) -> Iterator[tuple[str, str]]:
    for one, two in numbers:
        for end in row[one].ends & other[two].ends:
            yield f"{old}{one}.{end}", f"{new}{two}.{end}"


def _rows(shapes: Entries) -> dict[str, Row]:
    """By what is before the numbers."""
    made: dict[str, dict[str, dict[str, Shape]]] = defaultdict(lambda: defaultdict(dict))
    for name, shape in shapes.items():
        for number in NUMBER.finditer(name):
            made[name[: number.start()]][number[0]][name[number.end() + 1 :]] = shape
    return {
        front: {n: _layer(row[n]) for n in sorted(row, key=int)}
        for front, row in made.items()
        if len(row) >= AT_LEAST
    }


def _layer(inner: dict[str, Shape]) -> Layer:
    kind = frozenset(pair for pair in inner.items() if not pair[0].endswith(COUNTERS))
    return Layer(kind, frozenset(inner))


def _of_one_name(rows: Iterable[str], others: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Rows of the same name, but for a beginning that one side has alone."""
    left = set(others)
    found = {row: end for row in rows if (end := next(_ends(row, left), None)) is not None}
    yield from found.items()
    alone = set(rows) - found.keys()
    for other in left - set(found.values()):
        yield from ((end, other) for end in islice(_ends(other, alone), 1))


def _ends(front: str, known: Container[str]) -> Iterator[str]:
    """Those of "a.b.layers.", "b.layers." and "layers." that are known, and nothing at all, of which only
    a whole model is made."""
    end = front
    while end:
        if end in known:
            yield end
        end = end.partition(".")[2]
    if "" in known and not NUMBER.search(front):
        yield ""


def _differ(row: Row, other: Row) -> bool:
    """Whether equal numbers are no proof: neither side has all numbers of the other, or has something
    else under one."""
    one, two = row.keys(), other.keys()
    return not (one <= two or two <= one) or any(row[n].kind != other[n].kind for n in one & two)


def _in_order(row: Row, other: Row) -> Numbers:
    """The numbers that go together, where the kinds of layers that both have follow one another alike
    and are all that one of the two has, but for a head at the end of both."""
    both = {layer.kind for layer in row.values()} & {layer.kind for layer in other.values()}
    ours, theirs = ([n for n, layer in each.items() if layer.kind in both] for each in (row, other))
    kinds = [row[n].kind for n in ours], [other[n].kind for n in theirs]
    if len(ours) < AT_LEAST or kinds[0] != kinds[1]:
        return []
    last = next(reversed(row)), next(reversed(other))
    if last[0] != ours[-1] and last[1] != theirs[-1]:
        ours, theirs = [*ours, last[0]], [*theirs, last[1]]
    every = len(ours) == len(row) or len(theirs) == len(other)
    return list(zip(ours, theirs, strict=True)) if every else []
