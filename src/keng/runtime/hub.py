"""Shows moments to the watchers and folds what they say into findings."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from keng.model import Blind, Finding, Hit, Pitfall, Watcher
from keng.moments import Moment


@dataclass(frozen=True, slots=True)
class Result:
    """What a watched run has shown."""

    findings: tuple[Finding, ...] = ()
    blind: tuple[Blind, ...] = ()


@dataclass(slots=True)
class Hub:
    """One finding for each pitfall and place: the first time it is seen is kept, the newest words
    and numbers are, and how often. `on_finding` hears of it once."""

    pitfalls: Iterable[Pitfall]
    on_finding: Callable[[Finding], None] | None = None
    folded: dict[tuple[str, str, int], Finding] = field(default_factory=dict)
    blind: list[Blind] = field(default_factory=list)
    watchers: dict[str, list[tuple[Pitfall, Watcher]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for pitfall in self.pitfalls:
            for watcher in pitfall.watchers:
                self.watchers.setdefault(watcher.moment, []).append((pitfall, watcher))

    def show(self, name: str, moment: Moment) -> None:
        for pitfall, watcher in tuple(self.watchers.get(name, ())):
            try:
                for hit in watcher.function(moment):
                    self._fold(pitfall, hit, f"step {moment.step}")
            except Exception as error:
                self.watchers[name].remove((pitfall, watcher))
                self.blinded(f"the watcher of {pitfall.name}", error)

    def blinded(self, who: str, error: Exception) -> None:
        """`who` raised and has been switched off."""
        last = traceback.extract_tb(error.__traceback__)[-1]
        why = f"{who} stopped with {type(error).__name__}: {error} ({last.filename}:{last.lineno})"
        self.blind.append(Blind("", why))

    def result(self) -> Result:
        return Result(tuple(self.folded.values()), tuple(self.blind))

    def _fold(self, pitfall: Pitfall, hit: Hit, when: str) -> None:
        place, line = (hit.where.path, hit.where.line) if hit.where else (hit.says, 0)
        key = (pitfall.name, place, line)
        known = self.folded.get(key)
        if known is not None:
            self.folded[key] = replace(known, hit=hit, times=known.times + 1)
            return
        finding = Finding(pitfall.name, pitfall.group, pitfall.severity, hit, "run", when)
        self.folded[key] = finding
        if self.on_finding is not None:
            self.on_finding(finding)
