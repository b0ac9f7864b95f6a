"""What the letters of all ranks say, side by side: kept and compared by rank 0."""

from __future__ import annotations

import platform
from collections import deque
from collections.abc import Callable, Sequence
from functools import singledispatchmethod
from time import monotonic, time

from keng._util.texts import sentence
from keng.model import Skipped
from keng.ranks.calls import Call, Collective, Parting, Side, Stall, Standing, spoken
from keng.ranks.collect.divergence import Ledger, parted, stood
from keng.ranks.collect.groups import heads
from keng.ranks.collect.last_words import Written, last_words
from keng.ranks.collect.messages import (
    Differs,
    Ends,
    Finds,
    Hello,
    Letter,
    Made,
    Moves,
    Paced,
    Stands,
    Tells,
)
from keng.ranks.collect.position import became_of, gone_by
from keng.ranks.collect.sections import Dispute
from keng.ranks.collect.slowness import slowest
from keng.ranks.reports import PaceSummary, Ranks, Slow, Told
from keng.run.findings import Findings
from keng.run.plan import Plan

SLOWEST_HELLO = 10.0
"""Seconds between the first rank's joining and the last one's first letter."""
LAST_WORDS = 3.0
"""Seconds that rank 0 waits for the last letters of the others, which end about when it does."""
UNMET = 64
"""Steps that are remembered until all ranks have reported them: some are not taken by all."""
DRAWN, DRAWN_IN_ALL = 256, 1 << 16
"""Calls of each rank that are kept for its lane in the report, the last, and of all ranks."""
MOST_KNOWN = 4096
"""Different collectives that are remembered: of tensors whose shape changes there is no end."""
SETTLES = 3.0
"""Seconds in which other ranks see that they differ from the same one."""


class Board:
    def __init__(
        self,
        findings: Findings,
        plan: Plan,
        world: int,
        now: Callable[[], float] = monotonic,
    ) -> None:
        self.findings = findings
        self._now = now
        self._plan: Plan | None = plan
        self.world = world
        self._ended: dict[int, Ends] = {}
        self._begun = now()
        self._hello: dict[int, Hello] = {}
        self._dead_at: dict[int, Written] = {}
        self._groups: dict[str, tuple[int, ...]] = {}
        self._ledgers: dict[str, dict[int, Ledger]] = {}
        drawn = max(4, min(DRAWN, DRAWN_IN_ALL // world))
        self._calls = {rank: deque[Call](maxlen=drawn) for rank in range(world)}
        self._known: dict[Collective, Collective] = {}
        self._looked: dict[str, int] = {}
        self._parted: dict[str, int] = {}
        self._stands: dict[int, tuple[Standing, float]] = {}
        self._told: dict[tuple[int, int], dict[int, Told]] = {}
        self._since: dict[tuple[str, str], int] = {}
        self._disputes: dict[str, Dispute] = {}
        self._shared: set[tuple[str, int]] = set()
        self._is_news = False
        self._paces: dict[int, PaceSummary] | None = {}
        self._differing: dict[tuple[int, int], dict[int, Tells]] = {}

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
        self._is_news = True
        for group, often in letter.often.items():
            self._ledger(group, letter.rank).often.update(often)
        for group, made in self._interned(letter.calls).items():
            self._ledger(group, letter.rank).add(made)

    @take.register
    def _(self, letter: Differs) -> None:
        self._groups.setdefault(letter.group, letter.ranks)
        new = Dispute(letter.group, letter.ranks, letter.owner, self._now())
        dispute = self._disputes.setdefault(letter.group, new)
        if dispute.owner == letter.owner and not dispute.asked:
            dispute.digests[letter.rank] = letter.digest

    @take.register
    def _(self, letter: Stands) -> None:
        self._stands[letter.standing.rank] = (letter.standing, self._now() - letter.seconds)

    @take.register
    def _(self, letter: Moves) -> None:
        self._stands.pop(letter.rank, None)

    @take.register
    def _(self, letter: Tells) -> None:
        moment = letter.told.moment
        if letter.first is not None:
            self._differing.setdefault(moment, {})[letter.told.rank] = letter
            self._is_news = True
            return
        of_step = self._told.setdefault(moment, {})
        of_step[letter.told.rank] = letter.told
        if len(self._told) > UNMET:
            del self._told[next(iter(self._told))]
        if len(of_step) == (letter.of or self.world):
            del self._told[moment]
            self._compare(told=of_step, reporting=len(of_step))
            self._say_batches(of_step)

    @take.register
    def _(self, letter: Finds) -> None:
        self.findings.merge(letter.finding)

    @take.register
    def _(self, letter: Paced) -> None:
        """Once every group has sent a round, the slowest rank of all is found, and reported once."""
        if self._paces is None:
            return
        self._paces[letter.head] = letter.summary
        if len(self._paces) < len(heads(self.world)):
            return
        nodes = {rank: hello.node for rank, hello in self._hello.items()}
        slow = slowest(tuple(self._paces.values()), nodes)
        self._paces.clear()
        if slow is not None:
            self._paces = None
            self._compare(slow=slow)

    @take.register
    def _(self, letter: Ends) -> None:
        self._ended[letter.standing.rank] = letter
        self._stands.pop(letter.standing.rank, None)
        for finding in letter.findings:
            self.findings.merge(finding)
        self.findings.skipped.extend(letter.skipped)

    def _say_batches(self, told: dict[int, Told]) -> None:
        if len(told) < self.world:
            return
        if self._plan is not None and all(each.batches for each in told.values()):
            self._plan.on_batches(tuple(told[rank].batches[-1].size for rank in sorted(told)))
            self._plan = None

    def speakers(self) -> frozenset[int]:
        """The ranks to be asked for their calls: one for each way in which calls of a group differ."""
        due = [
            dispute
            for dispute in self._disputes.values()
            if not dispute.asked and self._now() - dispute.since > SETTLES
        ]
        for dispute in due:
            dispute.asked = dispute.speakers()
        return frozenset().union(*(dispute.asked for dispute in due))

    def _share(self, dispute: Dispute) -> None:
        """Once all that were asked have sent their calls, these stand for those of the ranks that agree."""
        known = self._ledgers.get(dispute.group, {})
        if not dispute.asked or any(rank not in known for rank in dispute.asked):
            return
        for rank in dispute.ranks:
            if rank not in known:
                known[rank] = known[dispute.speaker(rank)]
                self._shared.add((dispute.group, rank))
        del self._disputes[dispute.group]

    def _interned(self, calls: Sequence[Call]) -> dict[str, dict[int, Collective]]:
        """The calls of each group by number. Letters bring a copy of each collective; here one object stands
        for all that are equal, so that equal calls need no comparison."""
        if len(self._known) > MOST_KNOWN:
            self._known.clear()
        different = {id(call.collective): call.collective for call in calls}
        known = {key: self._known.setdefault(each, each) for key, each in different.items()}
        found: dict[str, dict[int, Collective]] = {}
        for group, number, collective, _ in calls:
            found.setdefault(group, {})[number] = known[id(collective)]
        return found

    def _ledger(self, group: str, rank: int) -> Ledger:
        """A rank's own: it may have had that of another, which made the same calls."""
        ledgers = self._ledgers.setdefault(group, {})
        if rank not in ledgers or (group, rank) in self._shared:
            self._shared.discard((group, rank))
            ledgers[rank] = Ledger()
        return ledgers[rank]

    def _compare_differing(self) -> None:
        """Ranks whose models differ from those of the first to report a step. Of the others it is known
        that they do not, and nothing else."""
        for letters in self._differing.values():
            first = next(iter(letters.values())).first
            if first is not None:
                told = {rank: _models_of(first, rank) for rank in range(self.world)}
                told.update({rank: _models_of(each.told, rank) for rank, each in letters.items()})
                self._compare(told=told)
        self._differing.clear()

    def part(self) -> None:
        """Looks at the calls that all ranks of a group have made since the last look."""
        if not self._is_news:
            return
        self._is_news = False
        self._compare_differing()
        for dispute in tuple(self._disputes.values()):
            self._share(dispute)
        for group, ledgers in self._whole():
            found = parted(group, ledgers, self._looked.get(group, 0))
            self._looked[group] = min(ledger.last for ledger in ledgers.values())
            if found is not None:
                self._show(found)

    def has_standing(self) -> bool:
        """Whether a rank other than rank 0 stands still, has not said that it ends, and runs for all that
        is seen from here."""
        return any(rank and not self._gone(rank) for rank in self._stands)

    def waited(self) -> float:
        """Seconds that some rank has waited in a call that it made."""
        waiting = [t for s, t in self._stands.values() if s.is_waiting]
        now = self._now()
        return now - min(waiting, default=now)

    def stall(self) -> Stall:
        """Where all of them are, and why."""
        return self._explain(self._standings(), self.waited())

    def waits_for_some(self, seconds: float) -> bool:
        """Whether some rank is awaited, for so long by now: to say how it ended, or that it is there at
        all, which takes a moment."""
        is_young = self._now() - self._begun < SLOWEST_HELLO
        silent = [r for r in range(self.world) if r not in self._ended and not self._gone(r)]
        return any(seconds < LAST_WORDS if rank in self._hello else is_young for rank in silent)

    def conclude(self) -> None:
        """What only the end tells: all that was saved, and why ranks broke off."""
        self.part()
        unwatched = sorted(set(range(self.world)) - set(self._hello))
        if unwatched:
            why = sentence("ranks_not_watched", ranks=spoken(unwatched), n=len(unwatched))
            self.findings.skipped.append(Skipped("", why))
        asked = any(ends.asked for ends in self._ended.values())
        if len(self._ended) == self.world and not asked:
            # What rank 0 does to a model when training is over is no divergence.
            self._compare({r: e.told._replace(replicas=()) for r, e in self._ended.items()})
        standings = self._standings()
        # Ranks that are asked to end, and had no trouble, may be at any place.
        if any(s.broke or s.lost or (s.is_waiting and not asked) for s in standings.values()):
            self._explain(standings, 0.0)
        if asked and not self._parted:
            self._show_broken(standings)

    def _show_broken(self, standings: dict[int, Standing]) -> None:
        """The ranks that ended before their time, while no other has waited for them yet."""
        broken = tuple(Side((s.rank,), gone=s.gone) for s in standings.values() if s.broke)
        if broken:
            self._show(Parting("", 0, broken, stands=True))

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
            return self._dead(rank, gone)
        return self._stands[rank][0] if rank in self._stands else Standing(rank, at=time())

    def _gone(self, rank: int) -> str:
        """What became of a rank on this machine that has said nothing of its end."""
        hello = self._hello.get(rank)
        if hello is None or hello.node != platform.node():
            return ""
        return became_of(hello.process, hello.killed_for_memory)

    def _dead(self, rank: int, gone: str) -> Standing:
        """With the lines that it was in when C++ aborted it, once they are known."""
        if rank not in self._dead_at:
            hello = self._hello[rank]
            self._dead_at[rank] = last_words(hello.last_words, hello.thread)
        words = self._dead_at[rank]
        return Standing(rank, gone=gone_by(words, gone), at=time(), lines=words.lines)

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
        slow: Slow | None = None,
        reporting: int = 0,
    ) -> None:
        told = dict(sorted((told or {}).items()))
        some = reporting or self.world
        self.findings.compare(Ranks(self.world, told, parting, stall, slow, self._since, some))


def _follows(parting: Parting, found: list[Parting]) -> bool:
    """Whether all that are missed in it are held up in calls of other groups."""
    missed = {r for side in parting.sides if side.collective is None for r in side.ranks}
    others = [side for each in found if each is not parting for side in each.sides]
    return bool(missed) and missed <= {r for side in others if side.collective for r in side.ranks}


def _models_of(told: Told, rank: int) -> Told:
    return Told(
        rank,
        told.step,
        told.moment,
        told.where,
        replicas=told.replicas,
        counts_ranks=told.counts_ranks,
    )
