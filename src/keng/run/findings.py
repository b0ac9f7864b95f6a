"""Shows facts to the rules that watch them, and folds hits into findings."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from keng._util.texts import sentence
from keng.model import CatalogError, Facet, Finding, Hit, Origin, Pitfall, Skipped, Watcher
from keng.pitfalls.packs import said_of
from keng.pitfalls.texts import in_english
from keng.ranks.calls import Standing
from keng.ranks.reports import Ranks
from keng.run.suppressions import Silencing


class Overhead(NamedTuple):
    """Steps of optimizers, the seconds that they took, and how many of these keng took itself: its
    recorders and rules by the clock, and the way to them by an estimate. `models` where a module ran in
    training mode, `backwards` where there was a backward: without a step neither can be followed."""

    steps: int = 0
    seconds: float = 0.0
    own: float = 0.0
    models: bool = False
    backwards: bool = False

    @property
    def share(self) -> float:
        return self.own / self.seconds if self.seconds else 0.0


NOTHING = Overhead()


@dataclass(frozen=True, slots=True)
class Result:
    """What a watched run has shown. `handed_on` if rank 0 of the job has it, and reports for this rank.
    `ending` is how the run ended, once it has; `standings` where each of several ranks was when they last
    stood still, or ended."""

    findings: tuple[Finding, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    handed_on: bool = False
    overhead: Overhead = NOTHING
    ending: str = ""
    standings: tuple[Standing, ...] = ()
    rendered: Callable[[Result, str], str] | None = field(default=None, compare=False)
    """What makes the report that a notebook ("html") or a prompt ("text") shows."""

    def __repr__(self) -> str:
        found = f"{len(self.findings)} findings, {len(self.skipped)} skipped"
        return self.rendered(self, "text") if self.rendered else f"<keng.run.Result: {found}>"

    def _repr_html_(self) -> str | None:
        return self.rendered(self, "html") if self.rendered else None


@dataclass
class Findings:
    """One finding for each pitfall and place: its first time, its latest message and numbers, and how
    often it came. `on_finding` gets it once. `rank` is that of this process, if it is one of several."""

    pitfalls: Iterable[Pitfall]
    on_finding: Callable[[Finding], None] | None = None
    folded: dict[tuple[str, str, int], Finding] = field(default_factory=dict)
    skipped: list[Skipped] = field(default_factory=list)
    rank: int | None = None
    handed_on: bool = False
    standings: tuple[Standing, ...] = ()
    silencing: Silencing = field(default_factory=Silencing)

    def __post_init__(self) -> None:
        self.pitfalls = tuple(self.pitfalls)

    @cached_property
    def rules(self) -> list[tuple[Pitfall, Any]]:
        """The rules for a running program, Watchers and classes of recorders. They are loaded here, which
        imports torch."""
        found: list[tuple[Pitfall, Any]] = []
        for pitfall in self.pitfalls:
            try:
                found += [(pitfall, rule) for rule in pitfall.rules("run")]
            except CatalogError as error:
                self.skipped.append(
                    Skipped("", sentence("pitfall_not_loaded", name=pitfall.name, error=error))
                )
        return found

    @cached_property
    def watchers(self) -> dict[type, list[tuple[Pitfall, Watcher]]]:
        """The rules by the class of facts that they watch (`keng.run.recorder.Fact`)."""
        found: dict[type, list[tuple[Pitfall, Watcher]]] = {}
        for pitfall, rule in self.rules:
            if isinstance(rule, Watcher):
                found.setdefault(rule.fact, []).append((pitfall, rule))
        return found

    @cached_property
    def comparers(self) -> list[tuple[Pitfall, Facet]]:
        return [(pitfall, rule) for pitfall in self.pitfalls for rule in pitfall.comparers]

    def show(self, fact: object, step: int) -> None:
        watchers = self.watchers.get(type(fact), [])
        for pitfall, watcher in tuple(watchers):
            try:
                for hit in watcher.function(fact):
                    self.report(pitfall, hit, step)
            except Exception as error:
                watchers.remove((pitfall, watcher))
                self.record_failure(f"the watcher of {pitfall.name}", error)

    def report(self, pitfall: Pitfall, hit: Hit, step: int) -> None:
        """A hit of a rule or a recorder, which gets its English here."""
        self._fold(_finding(pitfall, in_english(pitfall.name, hit), "run", step))

    def compare(self, ranks: Ranks) -> None:
        for pitfall, comparer in tuple(self.comparers):
            try:
                for hit in comparer(ranks):
                    self._fold(_finding(pitfall, hit, "ranks", ranks.step))
            except Exception as error:
                self.comparers.remove((pitfall, comparer))
                self.record_failure(f"the comparer of {pitfall.name}", error)

    def record_failure(self, who: str, error: Exception) -> None:
        """`who` raised and has been switched off."""
        last = traceback.extract_tb(error.__traceback__)[-1]
        shown = f"{type(error).__name__}: {error}"
        place = f"{said_of(last.filename)}{last.filename}:{last.lineno}"
        why = sentence("part_stopped", part=who, error=shown, place=place)
        self.skipped.append(Skipped("", why))

    def result(self, overhead: Overhead = NOTHING, ending: str = "") -> Result:
        found, skipped = tuple(self.folded.values()), tuple(self.skipped)
        return Result(found, skipped, self.handed_on, overhead, ending, self.standings)

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
