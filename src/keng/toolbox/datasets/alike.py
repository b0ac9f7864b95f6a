"""Samples that are the same, found by all processes of a job: each compares one range of the hashes.

A process sends its digests to the store by ranges, and takes from there what lies in its own range, of all.
Pairs are few; rank 0 puts them together. It compares the range of a process that has died.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence

import numpy as np

from keng.toolbox.datasets.twins import (
    Digests,
    Found,
    Pairs,
    Part,
    Table,
    in_part,
    lookalikes_of,
    repeats_of,
)

Put = Callable[[str, bytes], None]
Get = Callable[[str], bytes]
Compared = list[Pairs]
"""Pairs within each set, and after them those of the first set with the second."""
EXACT, PICTURES = "exact", "pictures"


def send(put: Put, rank: int, world: int, sets: Sequence[Digests]) -> None:
    """The digests of each set, by ranges."""
    none = np.empty(0, np.int64)
    exact = [each.table() for each in sets]
    pictures = [each.pictures_table(none) for each in sets]
    for number in range(world):
        for kind, tables in ((EXACT, exact), (PICTURES, pictures)):
            own = [_within(table, (number, world)) for table in tables]
            put(f"{kind}/{rank}/{number}", pickle.dumps(own))


def _within(table: Table, part: Part) -> Table:
    indices, digests = table
    rows = in_part(digests, part)
    return indices[rows], digests[rows]


def repeats_in(get: Get, ranks: Sequence[int], part: Part) -> Compared:
    """The same samples in one range, of all ranks whose digests are there."""
    tables = _tables(get, EXACT, ranks, part)
    found = [repeats_of(table, None) for table in tables]
    return [*found, *(repeats_of(tables[0], table) for table in tables[1:])]


def lookalikes_in(get: Get, ranks: Sequence[int], part: Part, repeats: Compared) -> Compared:
    """Pictures that look alike in one range, without the samples that are there again."""
    tables = _tables(get, PICTURES, ranks, part)
    found = [lookalikes_of(_without(tables[0], repeats[0]), None, part)]
    if len(tables) > 1:
        mine, theirs = _without(tables[0], repeats[2]), _without(tables[1], repeats[1])
        found.append(lookalikes_of(mine, theirs, part))
    return found


def _tables(get: Get, kind: str, ranks: Sequence[int], part: Part) -> list[Table]:
    """Of each set, in the order of the samples."""
    parts: list[list[Table]] = [pickle.loads(get(f"{kind}/{rank}/{part[0]}")) for rank in ranks]
    return [
        (np.concatenate([i for i, _ in of_set]), np.concatenate([d for _, d in of_set]))
        for of_set in zip(*parts, strict=True)
    ]


def _without(table: Table, repeats: Pairs) -> Table:
    rows = ~np.isin(table[0], repeats[:, 0])
    return table[0][rows], table[1][rows]


def joined(parts: Sequence[Compared]) -> Compared:
    """The pairs of all ranges: of each sample the first that it is like."""
    return [_first_of_each(np.concatenate(pairs)) for pairs in zip(*parts, strict=True)]


def _first_of_each(pairs: Pairs) -> Pairs:
    pairs = pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]
    return pairs[np.unique(pairs[:, 0], return_index=True)[1]]


def keep(sets: Sequence[Digests], repeats: Compared, lookalikes: Compared) -> None:
    """Lets the first set answer by what was found."""
    none = np.empty((0, 2), np.int64)
    between = (repeats[2], lookalikes[1]) if len(sets) > 1 else (none, none)
    sets[0].found = Found(repeats[0], between[0], lookalikes[0], between[1])


def counted(digests: Digests) -> Digests:
    """What a process hands in of its digests: how many there are."""
    count = Digests()
    count.left_out, count.elsewhere = digests.left_out, len(digests)
    return count
