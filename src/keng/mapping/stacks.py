"""Layers in a row that have other numbers in the file than in the model: a Dropout came between them,
they count from 1, the model is made of the children of another. Their order tells which is which, where
equal numbers would lead one layer's values into another."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from keng.mapping.plan import Shape

NUMBER = re.compile(r"(?<![\d])\d{1,6}(?=\.)")
AT_LEAST = 2
"""Layers that make a row."""

Shapes = Mapping[str, Shape]
Layer = frozenset[tuple[str, Shape]]
Row = dict[int, Layer]
"""What is in each layer, by its number."""


class Renumbered(NamedTuple):
    """What stands before the numbers in the file and in the model, the numbers that go together in their
    order."""

    old: str
    new: str
    numbers: tuple[tuple[int, int], ...]


def renumbered(file: Shapes, model: Shapes) -> list[Renumbered]:
    """The rows of the file that go into rows of the model under other numbers, or another name with
    numbers. A row that could go into two, or two into one, is left out."""
    rows, others = _rows(file), _rows(model)
    same = list(_of_one_name(rows, others))
    known = {old for old, _ in same}, {new for _, new in same}
    alone = [
        [front for front in each if front not in seen and not NUMBER.search(front)]
        for each, seen in zip((rows, others), known, strict=True)
    ]
    pairs = [pair for pair in same if _differ(rows[pair[0]], others[pair[1]])]
    pairs += [(old, new) for old in alone[0] for new in alone[1]]
    found = [
        Renumbered(old, new, numbers)
        for old, new in pairs
        if (numbers := _in_order(rows[old], others[new]))
        and ((old, new) not in same or any(one != two for one, two in numbers))
    ]
    times = Counter(each.old for each in found), Counter(each.new for each in found)
    return [each for each in found if times[0][each.old] == times[1][each.new] == 1]


def _rows(shapes: Shapes) -> dict[str, Row]:
    """By what stands before the numbers."""
    made: dict[str, dict[int, set[tuple[str, Shape]]]] = defaultdict(lambda: defaultdict(set))
    for name, shape in shapes.items():
        for number in NUMBER.finditer(name):
            made[name[: number.start()]][int(number[0])].add((name[number.end() :], shape))
    return {
        front: {n: frozenset(row[n]) for n in sorted(row)}
        for front, row in made.items()
        if len(row) >= AT_LEAST
    }


def _of_one_name(rows: Iterable[str], others: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Rows of the same name, but for a beginning that one side has alone."""
    known, theirs = set(rows), set(others)
    for row in known:
        yield from ((row, end) for end in _ends(row) if end in theirs)
    for other in theirs:
        yield from ((end, other) for end in _ends(other) if end in known and end != other)


def _ends(front: str) -> Iterator[str]:
    """ "a.b.layers.", "b.layers.", "layers." """
    while front:
        yield front
        front = front.partition(".")[2]


def _differ(row: Row, other: Row) -> bool:
    """Whether equal numbers are no proof: neither side has all numbers of the other, or has something
    else under one."""
    one, two = row.keys(), other.keys()
    return not (one <= two or two <= one) or any(row[n] != other[n] for n in one & two)


def _in_order(row: Row, other: Row) -> tuple[tuple[int, int], ...]:
    """The numbers that go together, where the kinds of layers that both have follow one another alike
    and are all that one of the two has, but for a head at the end of both."""
    kinds = set(row.values()) & set(other.values())
    ours, theirs = ([n for n, layer in each.items() if layer in kinds] for each in (row, other))
    if len(ours) < AT_LEAST or [row[n] for n in ours] != [other[n] for n in theirs]:
        return ()
    last = max(row), max(other)
    if last[0] != ours[-1] and last[1] != theirs[-1]:
        ours, theirs = [*ours, last[0]], [*theirs, last[1]]
    every = len(ours) == len(row) or len(theirs) == len(other)
    return tuple(zip(ours, theirs, strict=True)) if every else ()
