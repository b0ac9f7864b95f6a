"""Which rank the others wait for, by what each has measured of itself."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable
from statistics import fmean, median

from keng.model import Span
from keng.ranks.reports import Pace, Slow

PARTS = 6
"""Parts of the window. In each of them the others must wait: what a rank does now and then delays no part
but its own."""
LATE = 2
"""Letters for each rank, in all, after which one that has sent none takes no steps any more (`Join`)."""
MUCH = 0.1
"""The share of a step by which a rank is slower."""


EARLY = 0.5
"""The share by which a rank is slower that is reported after the short parts at the beginning."""
EARLY_CPU = 0.2
"""The same where the rank's processors work so much more. On a busy machine the time of a step says
little, and that of the processors hardly changes."""


class Paces:
    """The last parts of every rank. Their clocks are not compared, only shares of their steps."""

    def __init__(self, world: int) -> None:
        self._of: dict[int, deque[Pace]] = {rank: deque(maxlen=PARTS) for rank in range(world)}
        self._heard = dict.fromkeys(range(world), 0)
        self._count = 0

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
        early = any(pace.early for paces in self._of.values() for pace in paces)
        slow = Slow(
            self._of[rank][-1],
            nodes.get(rank, ""),
            *_means(self._of[rank], others, lambda pace: pace.own),
            *_means(self._of[rank], others, lambda pace: pace.loading),
            self._line(rank),
            *_means(self._of[rank], others, lambda pace: pace.computing),
            *_means(self._of[rank], others, lambda pace: pace.queuing),
        )
        waits = _apart(self._of[rank], others, lambda pace: pace.own)
        works = _apart(self._of[rank], others, lambda pace: pace.computing)
        if waits > (EARLY if early else MUCH):
            return slow
        enough = EARLY_CPU if early else MUCH
        return slow if min(works, slow.delay) > enough else None

    def _line(self, rank: int) -> Span | None:
        """The line of the loop that the rank was seen in more often than the others, by a third."""
        own = _shares(self._of[rank])
        others = [_shares(paces) for each, paces in self._of.items() if each != rank]
        more = {
            line: share - max(each.get(line, 0.0) for each in others) for line, share in own.items()
        }
        line = max(more, key=lambda each: more[each], default=None)
        return line if line is not None and more[line] >= 1 / 3 else None


Share = Callable[[Pace], float]


def _means(own: Iterable[Pace], others: list[deque[Pace]], share: Share) -> tuple[float, float]:
    """Of the rank, and the median of the others."""
    return fmean(map(share, own)), median(fmean(map(share, paces)) for paces in others)


def _apart(own: Iterable[Pace], others: list[deque[Pace]], share: Share) -> float:
    """By how much the least share of the rank exceeds the largest ones of the others."""
    return min(map(share, own)) - median(max(map(share, paces)) for paces in others)


def _shares(paces: Iterable[Pace]) -> dict[Span, float]:
    every = list(paces)
    seen = sum(pace.seen for pace in every)
    often = sum((Counter(pace.busy) for pace in every), Counter[Span]())
    return {line: count / seen for line, count in often.items()} if seen else {}
