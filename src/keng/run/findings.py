"""Shows moments to the watchers and folds what they say into findings."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from keng.model import Blind, Facet, Finding, Hit, Origin, Pitfall, Watcher
from keng.ranks.calls import Standing
from keng.ranks.reports import Ranks
from keng.run.moments import Moment
from keng.run.suppressions import Silencing


class Effort(NamedTuple):
    """Steps of optimizers that were seen, in how many seconds, and how many of these keng took itself:
    what its recorders and watchers do, by the clock, and what the way to them takes, as reckoned."""

    steps: int = 0
    seconds: float = 0.0
    own: float = 0.0

    @property
    def share(self) -> float:
        return self.own / self.seconds if self.seconds else 0.0


NOTHING = Effort()


@dataclass(frozen=True, slots=True)
class Result:
    """What a watched run has shown. `handed_on` where rank 0 of the job has it, and speaks for this
    rank. `ending` tells how it ended, once it has; `standings` where each of several ranks stood when
    they last stood still, or ended."""

    findings: tuple[Finding, ...] = ()
    blind: tuple[Blind, ...] = ()
    handed_on: bool = False
    effort: Effort = NOTHING
    ending: str = ""
    standings: tuple[Standing, ...] = ()


@dataclass(slots=True)
class Hub:
    """One finding for each pitfall and place: the first time it is seen is kept, the newest words
    and numbers are, and how often. `on_finding` hears of it once. `rank` is that of this process,
    where it is one of several."""

    pitfalls: Iterable[Pitfall]
    on_finding: Callable[[Finding], None] | None = None
    folded: dict[tuple[str, str, int], Finding] = field(default_factory=dict)
    blind: list[Blind] = field(default_factory=list)
    watchers: dict[str, list[tuple[Pitfall, Watcher]]] = field(default_factory=dict)
    comparers: list[tuple[Pitfall, Facet]] = field(default_factory=list)
    rank: int | None = None
    handed_on: bool = False
    standings: tuple[Standing, ...] = ()
    silencing: Silencing = field(default_factory=Silencing)

    def __post_init__(self) -> None:
        for pitfall in self.pitfalls:
            self.comparers.extend((pitfall, comparer) for comparer in pitfall.comparers)
            for watcher in pitfall.watchers:
                self.watchers.setdefault(watcher.moment, []).append((pitfall, watcher))

    def show(self, name: str, moment: Moment) -> None:
        for pitfall, watcher in tuple(self.watchers.get(name, ())):
            try:
                for hit in watcher.function(moment):
                    self._fold(_finding(pitfall, hit, "run", moment.step))
            except Exception as error:
                self.watchers[name].remove((pitfall, watcher))
                self.blinded(f"the watcher of {pitfall.name}", error)

    def compare(self, ranks: Ranks) -> None:
        for pitfall, comparer in tuple(self.comparers):
            try:
                for hit in comparer(ranks):
                    self._fold(_finding(pitfall, hit, "ranks", ranks.step))
            except Exception as error:
                self.comparers.remove((pitfall, comparer))
                self.blinded(f"the comparer of {pitfall.name}", error)

    def blinded(self, who: str, error: Exception) -> None:
        """`who` raised and has been switched off."""
        last = traceback.extract_tb(error.__traceback__)[-1]
        why = f"{who} stopped with {type(error).__name__}: {error} ({last.filename}:{last.lineno})"
        self.blind.append(Blind("", why))

    def result(self, effort: Effort = NOTHING, ending: str = "") -> Result:
        found, blind = tuple(self.folded.values()), tuple(self.blind)
        return Result(found, blind, self.handed_on, effort, ending, self.standings)

    def merge(self, finding: Finding) -> None:
        """A finding of another rank."""
        self._fold(finding)

    def _fold(self, finding: Finding) -> None:
        if finding.origin == "run" and not finding.ranks and self.rank is not None:
            finding = finding._replace(ranks=(self.rank,))
        key = _key(finding)
        known = self.folded.get(key)
        if known is not None:
            ranks = tuple(sorted({*known.ranks, *finding.ranks}))
            times = known.times + finding.times
            self.folded[key] = known._replace(hit=finding.hit, times=times, ranks=ranks)
            return
        if finding in self.silencing:
            return
        self.folded[key] = finding
        if self.on_finding is not None:
            self.on_finding(finding)


def _finding(pitfall: Pitfall, hit: Hit, origin: Origin, step: int) -> Finding:
    when = f"step {step}" if step else ""
    named = (pitfall.name, pitfall.group, pitfall.severity)
    return Finding(*named, hit, origin, when, aliases=pitfall.aliases)


def _key(finding: Finding) -> tuple[str, str, int]:
    where = finding.hit.where
    place, line = (where.path, where.line) if where else (finding.hit.says, 0)
    return finding.pitfall, place, line
