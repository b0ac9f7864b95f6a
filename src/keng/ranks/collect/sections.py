"""Sections of calls, for jobs of many ranks: the ranks compare digests in the store, and only those that
differ are read in full.

A section is a run of calls of one process group that ends at the same numbers on every rank. The first
rank to finish it writes its digests into the store, the others compare theirs with these: nothing reaches
rank 0 while they agree.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import blake2b
from os.path import basename
from typing import NamedTuple

from keng.model import Span
from keng.ranks.calls import SAME_SHAPES, Call, Collective
from keng.ranks.collect.divergence import PAIRED, REMEMBERED
from keng.ranks.collect.messages import Made

FEW = 8
"""Ranks up to which each of them sends all its calls to rank 0, which of 64 would take 3 % of its steps."""
LENGTH, FIRST = 1024, (64, 128, 256, 512)
"""Calls of a section, and the numbers at which the first ones end."""
KEPT = REMEMBERED
"""Calls of a group that are kept until they are asked for."""
BULK = 1 << 14
"""Calls that all ranks together send at the end or in a stall."""
WORD = (1 << 64) - 1
FACTOR = 0x9E3779B97F4A7C15


class Section(NamedTuple):
    """`exact` is a digest of the calls with their lines, `alike` of what must agree for the calls to be
    one collective."""

    group: str
    number: int
    exact: int
    alike: int


@dataclass(slots=True)
class Past:
    """The calls of one group: the last ones, of those before only how often from each line."""

    recent: deque[Call] = field(default_factory=lambda: deque(maxlen=KEPT))
    often: Counter[Span | None] = field(default_factory=Counter)
    last: int = 0
    exact: int = 0
    alike: int = 0
    is_whole: bool = True

    def add(self, call: Call) -> Section | None:
        """A section, where the call ends one that has no gap."""
        if len(self.recent) == KEPT:
            self.often[self.recent[0].collective.where] += 1
        self.recent.append(call)
        self.is_whole &= call.number == self.last + 1
        self.last = call.number
        exact, alike = words(call.collective)
        self.exact = (self.exact * FACTOR + exact) & WORD
        self.alike = (self.alike * FACTOR + alike) & WORD
        if call.number % LENGTH and call.number not in FIRST:
            return None
        ended = Section(call.group, call.number, self.exact, self.alike) if self.is_whole else None
        self.exact = self.alike = 0
        self.is_whole = True
        return ended


class Pasts:
    def __init__(self, rank: int, world: int) -> None:
        self._rank, self._tail = rank, max(16, BULK // world)
        self._pasts: dict[str, Past] = {}
        self._ended: deque[Section] = deque(maxlen=KEPT)

    def add(self, calls: Iterable[Call]) -> None:
        for call in calls:
            ended = self._pasts.setdefault(call.group, Past()).add(call)
            if ended is not None:
                self._ended.append(ended)

    def ended(self) -> Iterator[Section]:
        """The sections that have ended since."""
        while self._ended:
            yield self._ended.popleft()

    def letter(self, groups: Mapping[str, tuple[int, ...]], whole: bool) -> Made | None:
        """The calls that were not sent before, all that are kept or the last of them."""
        calls: list[Call] = []
        often: dict[str, dict[Span | None, int]] = {}
        for group, past in self._pasts.items():
            new = list(past.recent)
            past.recent.clear()
            begin = 0 if whole else max(0, len(new) - self._tail)
            past.often.update(call.collective.where for call in new[:begin])
            calls += new[begin:]
            often[group] = dict(past.often)
            past.often.clear()
        return Made(self._rank, tuple(calls), dict(groups), often) if calls else None


@lru_cache(maxsize=4096)
def words(made: Collective) -> tuple[int, int]:
    """Two digests of a call: with its lines, where these must not differ, and without. Folders may differ
    between machines, so the names of files count."""
    shapes = made.shapes if made.op in SAME_SHAPES else ()
    alike = repr((made.op, made.dtype, shapes))
    lines = () if made.op in PAIRED else tuple((basename(s.path), s.line) for s in made.lines)
    return _word(f"{alike} {lines}"), _word(alike)


def _word(text: str) -> int:
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "little") | 1


@dataclass(slots=True)
class Dispute:
    """Ranks whose digest of a section is not that of its `owner`, which was the first to end it."""

    group: str
    ranks: tuple[int, ...]
    owner: int
    since: float
    digests: dict[int, int] = field(default_factory=dict)
    asked: frozenset[int] = frozenset()

    def speakers(self) -> frozenset[int]:
        """One rank for each digest."""
        return frozenset((self.owner, *{digest: r for r, digest in self.digests.items()}.values()))

    def speaker(self, rank: int) -> int:
        """The rank that made the same calls as this one and was asked for them."""
        digest = self.digests.get(rank)
        same = (r for r, each in self.digests.items() if each == digest and r in self.asked)
        return self.owner if digest is None else next(same, rank)
