"""The tree in which ranks report how fast they are: groups of ranks, and of each group the first one, which
sums up what the others write into the store and passes that on to rank 0.

A group of a large job is as large as the number of groups, so that neither rank 0 nor the first rank of a
group reads more of them in a round than the square root of the number of ranks.
"""

from __future__ import annotations

from math import isqrt

from keng.ranks.collect.slowness import Paces
from keng.ranks.collect.store import Mailbox
from keng.ranks.reports import Pace, PaceSummary

LEAST = 32
"""Ranks of a group in a job that has more than one."""


def heads(world: int) -> range:
    """The first rank of each group."""
    return range(0, world, max(LEAST, isqrt(world - 1) + 1))


class Group:
    """The part of one rank in it. `parts` counts the paces that it has written."""

    def __init__(self, rank: int, world: int) -> None:
        size = heads(world).step
        self._rank, self._parts = rank, 0
        ranks = range(rank, min(world, rank + size))
        self._paces = Paces(ranks) if rank % size == 0 else None
        self._others = [_name(other) for other in ranks[1:]]
        self._read: dict[int, int] = {}
        self._awaits = False

    def add(self, pace: Pace, mailbox: Mailbox) -> None:
        self._parts += 1
        if self._paces is None:
            mailbox.raise_flag(_name(self._rank), (self._parts, pace))
        else:
            self._paces.add(pace)
            self._awaits = True

    def summary(self, mailbox: Mailbox) -> PaceSummary | None:
        """Of a round, once every rank of the group has written a part; for its head alone."""
        if self._paces is None or not self._awaits:
            return None
        for parts, pace in mailbox.notes(self._others):
            if self._read.get(pace.rank) != parts:
                self._read[pace.rank] = parts
                self._paces.add(pace)
        self._awaits = not self._paces.has_round()
        return None if self._awaits else self._paces.summary()


def _name(rank: int) -> str:
    return f"pace{rank}"
