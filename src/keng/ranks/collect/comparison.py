"""What the letters of all ranks say, side by side: kept and compared by rank 0."""

from __future__ import annotations

import platform
from collections import deque
from functools import singledispatchmethod
from time import monotonic, time

from keng._util.texts import sentence
from keng.model import Skipped
from keng.ranks.calls import Call, Parting, Stall, Standing, spoken
from keng.ranks.collect.divergence import Ledger, parted, stood
from keng.ranks.collect.messages import Ends, Finds, Hello, Letter, Made, Moves, Stands, Tells
from keng.ranks.collect.position import became_of
from keng.ranks.reports import Ranks, Told
from keng.run.findings import Findings
from keng.run.plan import Plan

SLOWEST_HELLO = 10.0
"""Seconds between the first rank's joining and the last one's first letter."""
LAST_WORDS = 3.0
"""Seconds that rank 0 waits for the last letters of the others, which end about when it does."""
UNMET = 64
"""Steps that are remembered until all ranks have reported them: some are not taken by all."""
DRAWN = 256
"""Calls of each rank that are kept for its lane in the report: the last."""


class Board:
    def __init__(self, findings: Findings, plan: Plan, world: int) -> None:
        self.findings = findings
        self._plan: Plan | None = plan
        self.world = world
        self._ended: dict[int, Ends] = {}
        self._begun = monotonic()
        self._hello: dict[int, Hello] = {}
        self._groups: dict[str, tuple[int, ...]] = {}
        self._ledgers: dict[str, dict[int, Ledger]] = {}
        self._calls = {rank: deque[Call](maxlen=DRAWN) for rank in range(world)}
        self._looked: dict[str, int] = {}
        self._parted: dict[str, int] = {}
        self._stands: dict[int, tuple[Standing, float]] = {}
        self._told: dict[tuple[int, int], dict[int, Told]] = {}
        self._since: dict[tuple[str, str], int] = {}

    @singledispatchmethod
    def take(self, letter: Letter) -> None:
        raise TypeError(letter)

    @take.register
    def _(self, letter: Hello) -> None:
        self._hello[letter.rank] = letter

    @take.register
    def _(self, letter: Made) -> None:
        self._groups.update(letter.groups)
        self._calls[letter.rank].extend(letter.calls)
        for call in letter.calls:
            self._ledgers.setdefault(call.group, {}).setdefault(letter.rank, Ledger()).add(call)

    @take.register
    def _(self, letter: Stands) -> None:
        self._stands[letter.standing.rank] = (letter.standing, monotonic() - letter.seconds)

    @take.register
    def _(self, letter: Moves) -> None:
        self._stands.pop(letter.rank, None)

    @take.register
    def _(self, letter: Tells) -> None:
        moment = letter.told.moment
        of_step = self._told.setdefault(moment, {})
        of_step[letter.told.rank] = letter.told
        if len(self._told) > UNMET:
            del self._told[next(iter(self._told))]
        if len(of_step) == self.world:
            del self._told[moment]
            self._compare(told=of_step)
            self._say_batches(of_step)

    @take.register
    def _(self, letter: Finds) -> None:
        self.findings.merge(letter.finding)

    @take.register
    def _(self, letter: Ends) -> None:
        self._ended[letter.standing.rank] = letter
        self._stands.pop(letter.standing.rank, None)
        for finding in letter.findings:
            self.findings.merge(finding)
        self.findings.skipped.extend(letter.skipped)

    def _say_batches(self, told: dict[int, Told]) -> None:
        if self._plan is not None and all(each.batches for each in told.values()):
            self._plan.on_batches(tuple(told[rank].batches[-1].size for rank in sorted(told)))
            self._plan = None

    def part(self) -> None:
        """Looks at the calls that all ranks of a group have made since the last look."""
        for group, ledgers in self._whole():
            found = parted(group, ledgers, self._looked.get(group, 0))
            self._looked[group] = min(ledger.last for ledger in ledgers.values())
            if found is not None:
                self._show(found)

    def waited(self) -> float:
        """Seconds that some rank has waited in a call that it made."""
        waiting = [t for s, t in self._stands.values() if s.is_waiting]
        return monotonic() - min(waiting, default=monotonic())

    def stall(self) -> Stall:
        """Where all of them are, and why."""
        return self._explain(self._standings(), self.waited())

    def waits_for_some(self, seconds: float) -> bool:
        """Whether some rank is awaited, for so long by now: to say how it ended, or that it is there at
        all, which takes a moment."""
        is_young = monotonic() - self._begun < SLOWEST_HELLO
        silent = [r for r in range(self.world) if r not in self._ended and not self._gone(r)]
        return any(seconds < LAST_WORDS if rank in self._hello else is_young for rank in silent)

    def conclude(self) -> None:
        """What only the end tells: all that was saved, and why ranks broke off."""
        self.part()
        unwatched = sorted(set(range(self.world)) - set(self._hello))
        if unwatched:
            why = sentence("ranks_not_watched", ranks=spoken(unwatched), n=len(unwatched))
            self.findings.skipped.append(Skipped("", why))
        if len(self._ended) == self.world:
            # What rank 0 does to a model when training is over is no divergence.
            self._compare({r: e.told._replace(replicas=()) for r, e in self._ended.items()})
        standings = self._standings()
        if any(standing.troubled for standing in standings.values()):
            self._explain(standings, 0.0)

    def _standings(self) -> dict[int, Standing]:
        """Where every rank is, which the report of the run shows as well."""
        found = {rank: self._standing(rank) for rank in range(self.world)}
        found = {rank: s._replace(calls=tuple(self._calls[rank])) for rank, s in found.items()}
        self.findings.standings = tuple(found.values())
        return found

    def _explain(self, standings: dict[int, Standing], seconds: float) -> Stall:
        stall = Stall(seconds, tuple(standings.values()))
        partings = [stood(group, ledgers, standings) for group, ledgers in self._every()]
        found = [parting for parting in partings if parting is not None]
        # A rank that waits alone in one group is missed in the others, and so are ranks that have parted.
        first = [each for each in found if not _follows(each, found)]
        for parting in [each for each in found if each.alone] or first or found:
            self._show(parting, stall)
        self._compare(stall=stall)
        return stall

    def _show(self, parting: Parting, stall: Stall | None = None) -> None:
        """Where ranks have parted, all later calls of the group are of no use."""
        if self._parted.setdefault(parting.group, parting.number) == parting.number:
            self._compare(parting=parting, stall=stall)

    def _standing(self, rank: int) -> Standing:
        if rank in self._ended:
            return self._ended[rank].standing
        if gone := self._gone(rank):
            return Standing(rank, gone=gone, at=time())
        return self._stands[rank][0] if rank in self._stands else Standing(rank, at=time())

    def _gone(self, rank: int) -> str:
        """What became of a rank on this machine that has said nothing of its end."""
        hello = self._hello.get(rank)
        if hello is None or hello.node != platform.node():
            return ""
        return became_of(hello.process, hello.killed_for_memory)

    def _every(self) -> list[tuple[str, dict[int, Ledger]]]:
        """The groups, each with a ledger for every rank in it."""
        return [
            (group, {rank: self._ledgers.get(group, {}).get(rank, Ledger()) for rank in ranks})
            for group, ranks in self._groups.items()
        ]

    def _whole(self) -> list[tuple[str, dict[int, Ledger]]]:
        return [(g, ls) for g, ls in self._every() if all(ledger.calls for ledger in ls.values())]

    def _compare(
        self,
        told: dict[int, Told] | None = None,
        parting: Parting | None = None,
        stall: Stall | None = None,
    ) -> None:
        told = dict(sorted((told or {}).items()))
        self.findings.compare(Ranks(self.world, told, parting, stall, self._since))


def _follows(parting: Parting, found: list[Parting]) -> bool:
    """Whether all that are missed in it are held up in calls of other groups."""
    missed = {r for side in parting.sides if side.collective is None for r in side.ranks}
    others = [side for each in found if each is not parting for side in each.sides]
    return bool(missed) and missed <= {r for side in others if side.collective for r in side.ranks}
