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
"""The first reports. The very first every rank sends; of the others some do, as of those that follow."""
TOGETHER = 64
"""Ranks that send the report of one step, so that rank 0 compares as many whatever their number."""
SHARE = 16
"""Ranks of which a report is sent for each that is due; with twice as many, of every second."""
MOST_ASKING = 1024
"""Ranks that compare the digests of their models in each report that is due; of twice as many, in every
second: the store has one thread."""
REPEATED = 2
"""Reports in which a rank sends digests that differ."""
HELD = 2
"""Steps whose digests stay in the store."""


class Summaries:
    def __init__(self, rank: int, world: int) -> None:
        self._rank, self._world = rank, world
        self._blocks = -(-world // TOGETHER)
        self._spread = max(1, min(world, TOGETHER) // SHARE)
        self._asks = -(-world // MOST_ASKING)
        self._reports = 0
        self._differed: Counter[str] = Counter()
        self._written: deque[str] = deque()

    def letters(self, told: Told, mailbox: Mailbox) -> list[Tells]:
        """What rank 0 is to know of a step."""
        turn = crc32(repr(told.moment).encode())  # the same on every rank
        first = self._reports < BURST
        found = [
            self._against(told, mailbox) if first or turn % self._asks == 0 else None,
            self._own(told, turn // self._spread) if first or turn % self._spread == 0 else None,
        ]
        self._reports += 1
        return [each for each in found if each is not None]

    def _own(self, told: Told, turn: int) -> Tells | None:
        """What is a rank's own, without the digests of its models."""
        reporting = self._reporting(turn) if self._reports else range(self._world)
        if self._rank not in reporting:
            return None
        models = tuple(
            r._replace(parameters={}, gradients={}, buffers={}, states={}) for r in told.replicas
        )
        return Tells(told._replace(replicas=models), len(reporting))

    def _reporting(self, turn: int) -> range:
        """Neighbours, which share a machine, and every n-th rank, by turns."""
        block, strides = turn // 2 % self._blocks, turn % 2
        if strides:
            return range(block, self._world, self._blocks)
        return range(block * TOGETHER, min(self._world, (block + 1) * TOGETHER))

    def _against(self, told: Told, mailbox: Mailbox) -> Tells | None:
        """What differs from the first report. Ranks that hold other shards have other names."""
        models = [(r.name, r.parameters, r.gradients, r.buffers, r.states) for r in told.replicas]
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
                return Tells(told, first=other)
        return None

    def _keep(self, name: str, mailbox: Mailbox) -> None:
        self._written.append(name)
        if len(self._written) > HELD:
            old = self._written.popleft()
            mailbox.lower(old, f"{old}/whole")


def _digest(value: object) -> str:
    return blake2b(repr(value).encode(), digest_size=8).hexdigest()
