"""Samples that are the same, found by all processes of a job: each compares one range of the hashes.

A process sends its digests to the store by ranges, and takes from there what lies in its own range, of all.
Pairs are few; rank 0 puts them together. It compares the range of a process that has died.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from keng.toolbox.datasets.twins import (
    Digests,
    Found,
    Pairs,
    Table,
    in_part,
    lookalikes_of,
    repeats_of,
)

Put = Callable[[str, bytes], None]
Get = Callable[[str], bytes]
Compared = list[Pairs]
"""Pairs within each set, and after them those of the first set with the second."""


def send(put: Put, rank: int, world: int, tables: Sequence[Table], kind: str) -> None:
    """The digests of each set, by ranges."""
    for number in range(world):
        kept = [in_part(digests, (number, world)) for _, digests in tables]
        own = [(i[rows], d[rows]) for (i, d), rows in zip(tables, kept, strict=True)]
        put(f"{kind}/{rank}/{number}", pickle.dumps(own))


def compare(get: Get, ranks: Sequence[int], number: int, world: int, kind: str) -> Compared:
    """What lies in one range, of all ranks whose part is there."""
    parts: list[list[Table]] = [pickle.loads(get(f"{kind}/{rank}/{number}")) for rank in ranks]
    tables = [
        (np.concatenate([i for i, _ in of_set]), np.concatenate([d for _, d in of_set]))
        for of_set in zip(*parts, strict=True)
    ]
    if kind == EXACT:
        found = [repeats_of(table, None) for table in tables]
        return [*found, *(repeats_of(tables[0], table) for table in tables[1:])]
    # Of pictures, the first set is sent twice: without what is in it again, and without what is in the second.
    if len(tables) == 1:
        return [lookalikes_of(tables[0], None, (number, world))]
    mine, between, theirs = tables
    found = [lookalikes_of(mine, None, (number, world))]
    return [*found, lookalikes_of(between, theirs, (number, world))]


EXACT, PICTURES = "exact", "pictures"


def joined(parts: Sequence[Compared]) -> Compared:
    """The pairs of all ranges: of each sample the first that it is like."""
    return [_first_of_each(np.concatenate(pairs)) for pairs in zip(*parts, strict=True)]


def _first_of_each(pairs: Pairs) -> Pairs:
    order = np.lexsort((pairs[:, 1], pairs[:, 0]))
    pairs = pairs[order]
    return pairs[np.unique(pairs[:, 0], return_index=True)[1]] if len(pairs) else pairs


def exact_tables(sets: Sequence[Digests]) -> list[Table]:
    return [each.table() for each in sets]


def picture_tables(sets: Sequence[Digests], repeated: Sequence[NDArray[np.int64]]) -> list[Table]:
    """Without the samples that are there again, as `compare` has found them."""
    first, *others = sets
    tables = [first.pictures_table(repeated[0])]
    for other in others:
        tables += [first.pictures_table(repeated[2]), other.pictures_table(repeated[1])]
    return tables


def keep(sets: Sequence[Digests], exact: Compared, pictures: Compared) -> None:
    """Lets the first set answer by what was found."""
    none = np.empty((0, 2), np.int64)
    between = (exact[2], pictures[1]) if len(sets) > 1 else (none, none)
    sets[0].found = Found(exact[0], between[0], pictures[0], between[1])


def emptied(digests: Digests) -> Digests:
    """What a process hands in of its digests: how many there are."""
    left: Any = Digests()
    left.left_out, left.elsewhere = digests.left_out, len(digests)
    return left  # type: ignore[no-any-return]
