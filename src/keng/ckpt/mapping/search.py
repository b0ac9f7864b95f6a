"""Finds which entry of the file goes into which of the model.

Names are compared part by part and never cut at a length. A change of names is believed by the number
of pairs of equal (name, shape) that it brings about, the best one first; each entry is taken once.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from keng.ckpt.mapping.names import canonical, meaning, role_of, squashed
from keng.ckpt.mapping.plan import EXACT, Entries, Entry, Shape
from keng.ckpt.mapping.renumbered_layers import renumbered
from keng.ckpt.mapping.shapes import way

CANDIDATES = 20
"""Changes of prefix that are counted out in a round."""
ROUNDS, EFFORT = 40, 400_000
"""Changes that are followed, each of them counted over all names: at least so many, and more of fewer names.
A model of 48 layers may have 300, where each layer is called otherwise."""
ALIKE = 8
"""Entries of one end and shape that vote; more of them tell nothing."""

Pairs = dict[str, str]
Change = tuple[str, str]
"""A prefix of the file's names, and what the model has in its place; each with its last dot."""


class Found(NamedTuple):
    change: Change
    pairs: Pairs


class Search:
    """`pairs` are names of the file and of the model that go together. Inside, keys are names in their one
    spelling (`keng.ckpt.mapping.names`)."""

    def __init__(self, file: Entries, model: Entries) -> None:
        self._names = canonical(file), canonical(model)
        self._file = {key: file[name] for key, name in self._names[0].items()}
        self._model = {key: model[name] for key, name in self._names[1].items()}
        every = [*file.values(), *model.values()]
        self._shaped = all(entry.shape is not None for entry in every)
        self._free = dict.fromkeys(self._file), dict.fromkeys(self._model)
        self._pairs: Pairs = {}
        self._rivals: list[str] = []
        self._weaker: list[str] = []
        self.changes: list[tuple[Change, int]] = []
        self.orders: list[tuple[Change, int]] = []
        self.spelled = 0
        self.only: Change | None = None
        self._run()

    @property
    def pairs(self) -> Pairs:
        file, model = self._names
        return {file[one]: model[other] for one, other in self._pairs.items()}

    @property
    def rivals(self) -> tuple[str, ...]:
        """What would fill the same entries as well as what was taken. That the numbers of layers are
        kept speaks for a change, unless those of others are not, or no shapes speak for it."""
        others = not self._shaped or any(_other_numbers(*change) for change, _ in self.changes)
        return tuple(dict.fromkeys([*self._rivals, *(self._weaker if others else ())]))

    def _run(self) -> None:
        """Rows of layers under other numbers first; then names, those whose shapes are equal or can be
        made so before those of other shapes."""
        same = self._pairs_of(("", ""), alike=True)
        if len(same) < len(self._model):
            self._put_in_order()
            same = self._pairs_of(("", ""), alike=True)
        self._take(Found(("", ""), same))
        self._take_spelled_otherwise()
        self._follow(alike=True)
        for change in [("", ""), *(change for change, _ in self.changes)]:
            self._take(Found(change, self._pairs_of(change, alike=False)))
        self._follow(alike=False)
        if not self._shaped:
            self._take_the_only_ones()

    def _put_in_order(self) -> None:
        for row in renumbered(*(_shapes(each, self._shaped) for each in (self._file, self._model))):
            left = {one: two for one, two in row.pairs.items() if self._both_free(one, two)}
            pairs = self._of_one_kind(left)
            if pairs:
                self.orders.append(((row.old, row.new), len(pairs)))
                self._take(Found((row.old, row.new), pairs))

    def _both_free(self, one: str, other: str) -> bool:
        return one in self._free[0] and other in self._free[1]

    def _take_spelled_otherwise(self) -> None:
        """`layer_1/conv.weight` and `layer.1.conv.weight`"""
        plain = [_once(free) for free in self._free]
        pairs = {name: plain[1][key] for key, name in plain[0].items() if key in plain[1]}
        pairs = {one: two for one, two in pairs.items() if one != two and self._fits(one, two)}
        self.spelled = len(pairs)
        self._take(Found(("", ""), pairs))

    def _take_the_only_ones(self) -> None:
        """Without shapes: one layer on either side, with members of the same names, and nothing else."""
        (old, ends), (new, others) = (_only_layer(free) for free in self._free)
        if old and new and ends == others:
            self.only = old, new
            self._take(Found(self.only, self._pairs_of(self.only, alike=False)))

    def _follow(self, alike: bool) -> None:
        for _ in range(max(ROUNDS, EFFORT // (1 + len(self._file) + len(self._model)))):
            found = self._best(alike)
            if found is None:
                return
            self.changes.append((found.change, len(found.pairs)))
            self._take(found)

    def _take(self, found: Found) -> None:
        for source, target in found.pairs.items():
            self._pairs[source] = target
            del self._free[0][source], self._free[1][target]

    def _best(self, alike: bool) -> Found | None:
        changes = [change for change, _ in self._votes(alike).most_common(CANDIDATES)]
        found = [Found(change, self._pairs_of(change, alike)) for change in changes]
        found = [each for each in found if self._believed(each)]
        if not found:
            return None
        first = max(found, key=_rank)
        for each in (each for each in found if _is_rival(first, each)):
            less = _kept(each.change) < _kept(first.change)
            (self._weaker if less else self._rivals).append(_rival(first, each))
        return first

    def _votes(self, alike: bool) -> Counter[Change]:
        """Each free entry of the file votes for the changes that lead to the free entries of the model
        with which it shares the longest end, those of the same numbers first."""
        ends: dict[tuple[object, ...], list[str]] = defaultdict(list)
        for name in self._free[1]:
            shape, numbers = self._shape(self._model[name], alike), tuple(_numbers(name))
            for end in _ends(name):
                ends[end, shape].append(name)
                ends[end, shape, numbers].append(name)
        votes: Counter[Change] = Counter()
        for name in self._free[0]:
            shape = self._shape(self._file[name], alike)
            end = next((end for end in _ends(name) if (end, shape) in ends), "")
            if not end or (shape is None and "." not in end):
                continue  # without a shape, a last part in common ("weight") tells nothing
            near = ends.get((end, shape, tuple(_numbers(name))), [])[:ALIKE]
            for other in dict.fromkeys([*near, *ends[end, shape][: ALIKE - len(near)]]):
                votes[name[: -len(end)], other[: -len(end)]] += 1
        return votes

    def _shape(self, entry: Entry, alike: bool) -> object:
        return entry.shape if alike and self._shaped else None

    def _pairs_of(self, change: Change, alike: bool) -> Pairs:
        old, new = change
        made = {}
        for name in self._free[0]:
            target = new + name[len(old) :]
            if name.startswith(old) and target in self._free[1]:
                made[name] = target
        made = self._of_one_kind(made)
        return {one: two for one, two in made.items() if not alike or self._fits(one, two)}

    def _of_one_kind(self, pairs: Pairs) -> Pairs:
        """Without layers that are another kind of layer on the other side."""
        strange = {_layer(other) for one, other in pairs.items() if self._strange(one, other)}
        return {one: other for one, other in pairs.items() if _layer(other) not in strange}

    def _fits(self, name: str, target: str) -> bool:
        return way(target, self._file[name].shape, self._model[target].shape) in EXACT

    def _strange(self, name: str, target: str) -> bool:
        """A vector on one side and a matrix on the other: the layers are of different kinds, and what
        else is in them does not go together either, however alike."""
        one, other = self._file[name].shape, self._model[target].shape
        if one is None or other is None or 0 in one:
            return False
        return (
            1 in (len(one), len(other)) and len(one) != len(other) and not self._fits(name, target)
        )

    def _believed(self, found: Found) -> bool:
        """A change must account for half of what it speaks of, on one side at least, of a layer under
        another number for all of it, and make no key of a query. Names alone make no third layer of a
        first one."""
        roles = {role for each in found.change if (role := role_of(each))}
        others = _other_numbers(*found.change)
        if len(roles) > 1 or (others and not self._shaped):
            return False
        file = sum(name.startswith(found.change[0]) for name in self._free[0])
        model = sum(name.startswith(found.change[1]) for name in self._free[1])
        share = 1 if others else 2
        return bool(found.pairs) and share * len(found.pairs) >= min(file, model)


def _shapes(entries: Entries, shaped: bool) -> dict[str, Shape]:
    """Empty ones where not all are known."""
    return {name: (shaped and each.shape) or () for name, each in entries.items()}


def _layer(name: str) -> str:
    return name.rpartition(".")[0]


def _ends(name: str) -> Iterator[str]:
    """ "a.b.c", "b.c", "c" """
    while name:
        yield name
        name = name.partition(".")[2]


def _only_layer(names: Iterable[str]) -> tuple[str, list[str]]:
    """The layer, with its last dot, that all of two names or more are of, and their last parts."""
    parts = [name.rpartition(".") for name in names]
    fronts = {f"{front}." for front, dot, _ in parts if dot}
    alone = len(fronts) == 1 and len(parts) > 1 and all(dot for _, dot, _ in parts)
    return fronts.pop() if alone else "", sorted(end for _, _, end in parts)


def _rank(found: Found) -> tuple[int, int, int]:
    return len(found.pairs), _kept(found.change), -sum(map(len, found.change))


def _kept(change: Change) -> int:
    """Parts that both names have: the number of a layer, the name of a projection."""
    numbers = zip(*map(_counts, change), strict=False)
    old, new = (Counter(filter(None, map(meaning, each.split(".")))) for each in change)
    agreeing: int = sum(one == other for one, other in numbers)
    return agreeing + sum((old & new).values())


def _other_numbers(old: str, new: str) -> bool:
    """Whether the numbers that both have, from the outermost on, are not the same."""
    return any(one != other for one, other in zip(_counts(old), _counts(new), strict=False))


def _counts(prefix: str) -> list[str]:
    """With those at the end of a word: `layer1`."""
    return re.findall(r"\d+", prefix)


def _once(names: Iterable[str]) -> dict[str, str]:
    """By what is left of them without signs; not those that are then one."""
    times = Counter(map(squashed, names))
    return {key: name for name in names if times[key := squashed(name)] == 1}


def _numbers(prefix: str) -> list[str]:
    return [part for part in prefix.split(".") if part.isdigit()]


def _is_rival(first: Found, other: Found) -> bool:
    """Whether another part of the file would fill the same entries, or the same part fit elsewhere."""
    if other.change == first.change or len(other.pairs) < len(first.pairs):
        return False
    same_targets = set(first.pairs.values()) == set(other.pairs.values())
    return same_targets != (set(first.pairs) == set(other.pairs))


def _rival(first: Found, other: Found) -> str:
    if set(first.pairs) == set(other.pairs):
        return f"{first.change[0]} -> {other.change[1]}"
    return other.change[0].removesuffix(".")
