"""What many ranks report after a step: each compares the digests of its model with those of the first rank
to report that step, and sends them only where they differ."""

from __future__ import annotations

from collections import Counter, deque
from hashlib import blake2b
from zlib import crc32

from keng.ranks.collect.messages import Tells
from keng.ranks.collect.store import Mailbox
from keng.ranks.reports import Told

BURST = 5
"""The first reports, which every rank sends."""
SHARE = 16
"""Ranks of which each sends every later report; of twice as many, every second."""
REPEATED = 2
"""Reports in which a rank sends digests that differ."""
HELD = 2
"""Steps whose digests stay in the store."""


class Summaries:
    def __init__(self, rank: int, world: int) -> None:
        self._rank, self._spread = rank, max(1, world // SHARE)
        self._reports = 0
        self._differed: Counter[str] = Counter()
        self._written: deque[str] = deque()

    def letters(self, told: Told, mailbox: Mailbox) -> list[Tells]:
        """What rank 0 is to know of a step."""
        found = [self._against(told, mailbox), self._own(told)]
        self._reports += 1
        return [each for each in found if each is not None]

    def _own(self, told: Told) -> Tells | None:
        """What is a rank's own, without the digests of its models."""
        is_one = crc32(repr(told.moment).encode()) % self._spread == 0  # on every rank
        if self._reports >= BURST and not is_one:
            return None
        models = tuple(r._replace(parameters={}, gradients={}, buffers={}) for r in told.replicas)
        return Tells(told._replace(replicas=models))

    def _against(self, told: Told, mailbox: Mailbox) -> Tells | None:
        """What differs from the first report. Ranks that hold other shards have other names."""
        models = [(r.name, r.parameters, r.gradients, r.buffers) for r in told.replicas]
        if not models:
            return None
        names = [(name, *map(list, digests)) for name, *digests in models]
        key, digest = _digest(names), _digest(models)
        name = "/".join(("told", *map(str, told.moment), key))
        first = mailbox.first(name, f"{self._rank} {digest}".encode()).decode()
        owner, found = first.split()
        if int(owner) == self._rank:
            mailbox.raise_flag(f"{name}/whole", told)
            self._keep(name, mailbox)
        elif found != digest and self._differed[key] < REPEATED:
            other = mailbox.note(f"{name}/whole")
            if other is not None:
                self._differed[key] += 1
                return Tells(told, other)
        return None

    def _keep(self, name: str, mailbox: Mailbox) -> None:
        self._written.append(name)
        if len(self._written) > HELD:
            old = self._written.popleft()
            mailbox.lower(old, f"{old}/whole")


def _digest(value: object) -> str:
    return blake2b(repr(value).encode(), digest_size=8).hexdigest()
