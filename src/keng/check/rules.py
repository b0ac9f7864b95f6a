"""What is looked for in each file: the command line over the configuration."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cached_property

from keng import pitfalls
from keng._util.record import Record
from keng.check.baseline import Baseline, load_baseline
from keng.check.config import Configs, Settings
from keng.check.patterns import match
from keng.model import Finder, Finding, Pitfall, Severity
from keng.pitfalls.select import meant

ANY = b""
"""No word is that."""


class Wanted(Record):
    """The pitfalls to look for; `suspicious` asks for the findings that are not sure as well, `hints` for
    hints, which are shown without it only of the pitfalls that were selected by name (`asked`).
    `severities` are those of the configuration, `unfixable` the names whose fixes are only shown."""

    pitfalls: tuple[Pitfall, ...]
    suspicious: bool = False
    hints: bool = False
    asked: frozenset[str] = frozenset()
    severities: tuple[tuple[str, Severity], ...] = ()
    unfixable: frozenset[str] = frozenset()

    @cached_property
    def finders(self) -> list[tuple[Pitfall, Finder]]:
        return [(pitfall, finder) for pitfall in self.pitfalls for finder in pitfall.finders]

    def shows(self, finding: Finding) -> bool:
        """Whether a finding is reported. Other hints are only counted."""
        return finding.severity != "hint" or self.hints or finding.pitfall in self.asked

    def configured(self, finding: Finding) -> Finding:
        """The finding with the severity and the fix that the configuration leaves it."""
        severity = dict(self.severities).get(finding.pitfall, finding.severity)
        hit = finding.hit
        if hit.fix is not None and finding.pitfall in self.unfixable:
            hit = hit._replace(fix=hit.fix._replace(safety="shown"))
        return finding._replace(severity=severity, hit=hit)

    def finders_for(self, words: frozenset[bytes]) -> list[tuple[Pitfall, Finder]]:
        """Those that may find something in a file with these words, in order."""
        met = self._numbers_by_word.keys() & words
        numbers = self._numbers_by_word[ANY].union(*(self._numbers_by_word[w] for w in met))
        return [self.finders[n] for n in sorted(numbers)]

    @cached_property
    def _numbers_by_word(self) -> dict[bytes, set[int]]:
        """The places in `finders` of those that want a word; under ANY those that want none."""
        found: dict[bytes, set[int]] = {ANY: set()}
        for n, (_, finder) in enumerate(self.finders):
            for word in finder.mentions or (ANY,):
                found.setdefault(word, set()).add(n)
        return found


class Rules:
    """`asked` is what the command line says, in the terms of a configuration file."""

    def __init__(self, every: Sequence[Pitfall], asked: Settings, configs: Configs) -> None:
        asked.validate(every)
        self._every = every
        self._asked = asked
        self.configs = configs
        self._baselines: dict[str, Baseline | None] = {}
        self._chosen: dict[tuple[Settings, frozenset[str]], Wanted] = {}

    def wanted(self, path: str) -> Wanted:
        settings = self.configs.of(path)
        spared = frozenset(self._spared(settings, path) | self._spared(self._asked, path))
        key = (settings, spared)
        if key not in self._chosen:
            names = self._names(settings) - meant(spared, self._every)
            those = tuple(pitfall for pitfall in self._every if pitfall.name in names)
            suspicious = settings.suspicious or self._asked.suspicious
            hints = settings.hints or self._asked.hints
            severities = self._severities(settings)
            self._chosen[key] = Wanted(
                those,
                suspicious,
                hints,
                self._selected(settings) | {name for name, _ in severities},
                severities,
                self._unfixable(settings),
            )
        return self._chosen[key]

    def excluded(self, path: str, folder: bool) -> bool:
        if folder and os.path.abspath(path) in pitfalls.pack_homes():
            return True  # the bad programs of a pack are bad on purpose
        layers = (self.configs.of(path), self._asked)
        return any(match(each.exclude, each.home, path, folder) for each in layers)

    def baseline(self, path: str) -> Baseline | None:
        """What the configuration of a file names; nothing before that is written."""
        settings = self.configs.of(path)
        file = os.path.join(settings.home, settings.baseline)
        if file not in self._baselines:
            there = bool(settings.baseline) and os.path.exists(file)
            self._baselines[file] = load_baseline(file) if there else None
        return self._baselines[file]

    def torch(self, path: str) -> str:
        """The versions that the configuration of a file names."""
        return self.configs.of(path).torch

    def _names(self, settings: Settings) -> set[str]:
        """`--select` stands for all that the file selects and ignores; the rest adds to it."""
        names = {pitfall.name for pitfall in self._every}
        layers = (settings, self._asked) if self._asked.select is None else (self._asked,)
        for layer in layers:
            if layer.select is not None:
                names = meant(layer.select, self._every)
            names |= meant(layer.extend_select, self._every)
            names -= meant(layer.ignore, self._every)
        return names

    def _severities(self, settings: Settings) -> tuple[tuple[str, Severity], ...]:
        """Of each pitfall that is meant; a later line wins, as a name after a group does."""
        found: dict[str, Severity] = {}
        for word, severity in (*settings.severity, *self._asked.severity):
            found.update(dict.fromkeys(meant((word,), self._every), severity))
        return tuple(sorted(found.items()))

    def _unfixable(self, settings: Settings) -> frozenset[str]:
        names: set[str] = set()
        for layer in (settings, self._asked):
            if layer.fixable is not None:
                names = {pitfall.name for pitfall in self._every} - meant(
                    layer.fixable, self._every
                )
            names |= meant(layer.unfixable, self._every)
        return frozenset(names)

    def _selected(self, settings: Settings) -> frozenset[str]:
        layers = (settings, self._asked)
        words = [word for each in layers for word in (*(each.select or ()), *each.extend_select)]
        return frozenset(meant(words, self._every))

    @staticmethod
    def _spared(settings: Settings, path: str) -> set[str]:
        return {
            name
            for pattern, names in settings.per_file_ignores
            if match((pattern,), settings.home, path)
            for name in names
        }
