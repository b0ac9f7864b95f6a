"""Which rank the others wait for, by what each has measured of itself.

The first of a group of ranks sums up their paces (`Paces`), and rank 0 compares the summaries (`slowest`).
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import fmean, median

from keng.model import Span
from keng.ranks.reports import Pace, PaceSummary, Slow

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
    """The last parts of the ranks of a group. Their clocks are not compared, only shares of their steps."""

    def __init__(self, ranks: Iterable[int]) -> None:
        self._of: dict[int, deque[Pace]] = {rank: deque(maxlen=PARTS) for rank in ranks}
        self._heard = dict.fromkeys(self._of, 0)
        self._count = 0
        self._new: set[int] = set()

    def add(self, pace: Pace) -> None:
        self._count += 1
        self._heard[pace.rank] = self._count
        self._of[pace.rank].append(pace)
        self._new.add(pace.rank)

    def has_round(self) -> bool:
        """Whether every rank has sent a part since the last summary. A summary of each part would be work
        that grows with the square of the number of ranks."""
        return len(self._new) == len(self._of)

    def summary(self) -> PaceSummary | None:
        """Nothing before every rank has sent all parts, or where one takes no steps any more."""
        self._new.clear()
        is_late = self._count - min(self._heard.values()) > LATE * len(self._of)
        if is_late or any(len(paces) < PARTS for paces in self._of.values()):
            return None
        rank = max(self._of, key=lambda each: _mean(self._of[each], own))
        others = [tuple(paces) for each, paces in self._of.items() if each != rank]
        early = any(pace.early for paces in self._of.values() for pace in paces)
        return PaceSummary(
            tuple(self._of[rank]),
            len(others),
            {name: median(_mean(o, share) for o in others) for name, share in SHARES.items()}
            if others
            else {},
            {name: median(max(map(share, o)) for o in others) for name, share in APART.items()}
            if others
            else {},
            _largest(_shares(each) for each in others),
            early,
        )


def slowest(summaries: Sequence[PaceSummary], nodes: Mapping[int, str]) -> Slow | None:
    """The slowest rank of all groups, where it delays the others in every part of the window. Of large jobs
    the median of the others is that of the groups' medians."""
    worst = max(summaries, key=lambda each: _mean(each.slowest, own))
    if not any(each.others for each in summaries):
        return None
    usual = {
        name: _middle((each.means.get(name), each.others) for each in summaries) for name in SHARES
    }
    most = {
        name: _middle((each.most.get(name), each.others) for each in summaries) for name in APART
    }
    mine = {name: _mean(worst.slowest, share) for name, share in SHARES.items()}
    rank = worst.slowest[-1].rank
    slow = Slow(
        worst.slowest[-1],
        nodes.get(rank, ""),
        mine["own"],
        usual["own"],
        mine["data"],
        usual["data"],
        _line(worst, summaries),
        mine["cpu"],
        usual["cpu"],
        mine["queued"],
        usual["queued"],
    )
    waits, works = (min(map(APART[name], worst.slowest)) - most[name] for name in ("own", "cpu"))
    early = any(each.early for each in summaries)
    if waits > (EARLY if early else MUCH):
        return slow
    enough = EARLY_CPU if early else MUCH
    return slow if min(works, slow.delay) > enough else None


def _line(worst: PaceSummary, summaries: Sequence[PaceSummary]) -> Span | None:
    """The line of the loop that the slowest rank was seen in more often than the others, by a third."""
    others = [worst.busy]
    for each in summaries:
        if each is not worst:
            others += [each.busy, _shares(each.slowest)]
    usual = _largest(others)
    more = {line: share - usual.get(line, 0.0) for line, share in _shares(worst.slowest).items()}
    line = max(more, key=lambda each: more[each], default=None)
    return line if line is not None and more[line] >= 1 / 3 else None


Share = Callable[[Pace], float]


def own(pace: Pace) -> float:
    return pace.own


def computing(pace: Pace) -> float:
    return pace.computing


SHARES: dict[str, Share] = {
    "own": own,
    "data": lambda pace: pace.loading,
    "cpu": computing,
    "queued": lambda pace: pace.queuing,
}
"""Of a step, those whose means are reported."""
APART: dict[str, Share] = {"own": own, "cpu": computing}
"""Those of which the least of the slow rank must exceed the largest of the others."""


def _mean(paces: Sequence[Pace] | deque[Pace], share: Share) -> float:
    return fmean(map(share, paces))


def _middle(values: Iterable[tuple[float | None, int]]) -> float:
    """The median of values that each stand for so many ranks; of two in the middle, their mean."""
    ordered = sorted((value, count) for value, count in values if value is not None and count)
    half, seen = sum(count for _, count in ordered) / 2, 0
    for place, (value, count) in enumerate(ordered):
        seen += count
        if seen == half and place + 1 < len(ordered):
            return (value + ordered[place + 1][0]) / 2
        if seen >= half:
            return value
    return 0.0


def _largest(shares: Iterable[Mapping[Span, float]]) -> dict[Span, float]:
    """Of each line the largest of its shares."""
    found: dict[Span, float] = {}
    for each in shares:
        for line, share in each.items():
            found[line] = max(share, found.get(line, 0.0))
    return found


def _shares(paces: Iterable[Pace]) -> dict[Span, float]:
    every = list(paces)
    seen = sum(pace.seen for pace in every)
    often = sum((Counter(pace.busy) for pace in every), Counter[Span]())
    return {line: count / seen for line, count in often.items()} if seen else {}
