"""Which rank the others wait for, by what each has measured of itself."""

from __future__ import annotations

from collections import deque
from statistics import fmean, median

from keng.ranks.reports import Pace, Slow

PARTS = 6
"""Parts of the window. In each of them the others must wait: what a rank does now and then delays no part
but its own."""
LATE = 2
"""Letters for each rank, in all, after which one that has sent none takes no steps any more (`Join`)."""
MUCH = 0.1
"""The share of a step by which a rank is slower."""


class Paces:
    """The last parts of every rank. Their clocks are not compared, only shares of their steps."""

    def __init__(self, world: int) -> None:
        self._of: dict[int, deque[Pace]] = {rank: deque(maxlen=PARTS) for rank in range(world)}
        self._count = 0
        self._heard = dict.fromkeys(range(world), 0)

    def add(self, pace: Pace) -> None:
        self._count += 1
        self._heard[pace.rank] = self._count
        self._of[pace.rank].append(pace)

    def slow(self, nodes: dict[int, str]) -> Slow | None:
        """The slowest rank, where it delays the others in every part of the window."""
        is_late = self._count - min(self._heard.values()) > LATE * len(self._of)
        if is_late or any(len(paces) < PARTS for paces in self._of.values()):
            return None
        rank = max(self._of, key=lambda each: fmean(p.own for p in self._of[each]))
        others = [paces for each, paces in self._of.items() if each != rank]
        least = min(pace.own for pace in self._of[rank])
        if least - median(max(pace.own for pace in paces) for paces in others) <= MUCH:
            return None
        return Slow(
            self._of[rank][-1],
            nodes.get(rank, ""),
            fmean(pace.own for pace in self._of[rank]),
            median(fmean(pace.own for pace in paces) for paces in others),
            fmean(pace.loading for pace in self._of[rank]),
            median(fmean(pace.loading for pace in paces) for paces in others),
        )
