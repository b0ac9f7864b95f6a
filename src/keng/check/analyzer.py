"""Looks at one file after the other, and keeps what is to be told of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import compress
from pathlib import Path

from keng import pitfalls
from keng._util.texts import sentence
from keng.check.baseline import Baseline
from keng.check.deduplicate import lowered
from keng.check.rules import Rules, Wanted
from keng.check.unused import hinted
from keng.check.uses import Uses
from keng.model import Finder, Finding, Hit, Notice, Pitfall, Skipped, Span
from keng.source import Code, Project
from keng.source.suppressions import ALL, Mark, Silenced

MOST_HELD = 8_000_000
"""Bytes of source whose trees are held at once: about 130 MB of them, and what one file asks for beside."""
Place = Path | Skipped
"""A file to look at, or why one cannot be found."""


class Told:
    """What is reported about some files. `files` counts those that were checked, `foreign` those of
    them that do not use PyTorch, and of which no more was read; `known` the findings that a
    baseline holds back, `hints` those that are counted and not shown; `paths` are those with findings
    or notices, `parts` the results of each file by itself, where it depends on no baseline."""

    def __init__(
        self,
        found: Iterable[Finding] = (),
        skipped: Iterable[Skipped] = (),
        notes: Iterable[Notice] = (),
        files: int = 0,
        foreign: int = 0,
    ) -> None:
        self.found = list(found)
        self.skipped = list(skipped)
        self.notes = list(notes)
        self.hints: list[Finding] = []
        self.parts: dict[str, Told] = {}
        self.files = files
        self.foreign = foreign
        self.paths: list[str] = []
        self.known = 0

    def add(self, other: Told) -> None:
        self.found += other.found
        self.hints += other.hints
        self.skipped += other.skipped
        self.notes += other.notes
        self.paths += other.paths
        self.parts |= other.parts
        self.files += other.files
        self.foreign += other.foreign
        self.known += other.known


class Look:
    """Looks for pitfalls in the files of a project: those that `rules` choose for a file, or all. `whole`
    says that a folder was named, and not a few of its files."""

    def __init__(
        self,
        project: Project,
        everything: Wanted,
        rules: Rules | None,
        baseline: Baseline | None,
        whole: bool,
    ) -> None:
        self.project = project
        self._everything = everything
        self._rules = rules
        self._baseline = baseline
        self._uses = Uses(project.trees.files, project.trees.members) if whole else None

    def at(self, places: Sequence[Place], most: int = MOST_HELD) -> Told:
        """`most` bytes of source are held at once, parsed."""
        told = Told()
        for place in places:
            if self.project.trees.held > most:
                self.project.trees.clear()
            told.add(
                self.at_code(place if isinstance(place, Skipped) else self.project.read(place))
            )
        return told

    def wanted(self, path: str) -> Wanted:
        return self._rules.wanted(path) if self._rules else self._everything

    def at_code(self, code: Code | Skipped) -> Told:
        if isinstance(code, Skipped):
            return Told(skipped=[code])
        if not code.relevant:
            counted = 0 if code.tree.is_native else 1
            return _by_itself(code.path, Told(files=counted, foreign=counted))
        wanted = self.wanted(code.path)
        silenced = Silenced(code.source, code.tree.root)
        finders = wanted.finders_for(code.source.words)
        found, failures = _look(code, finders, wanted.suspicious, silenced)
        notes = list(map(_note, silenced.unused(self._judged(wanted, failed=bool(failures)))))
        found = lowered(map(wanted.configured, found), code.source) if found else found
        found = hinted(found, code, self._uses)
        new = self._without_known(sorted(found, key=place_of), code)
        shown = [each for each in new if wanted.shows(each)]
        told = Told(shown, [*code.source.skipped, *failures], notes, files=1)
        told.hints = [each for each in new if not wanted.shows(each)]
        told.known = len(found) - len(new)
        if shown or notes:
            told.paths.append(code.path)
        return told if found and self._baseline_of(code.path) else _by_itself(code.path, told)

    def _without_known(self, found: list[Finding], code: Code) -> list[Finding]:
        baseline = self._baseline_of(code.path) if found else None
        if baseline is None:
            return found
        return list(compress(found, [not known for known in baseline.known(found, code)]))

    def _baseline_of(self, path: str) -> Baseline | None:
        if self._baseline is None and self._rules is not None:
            return self._rules.baseline(path)
        return self._baseline

    def _judged(self, wanted: Wanted, failed: bool) -> Callable[[Mark], bool]:
        """Whether a comment can be said to silence nothing: all that its name means was looked for, or
        it means nothing."""

        def judged(mark: Mark) -> bool:
            names = {pitfall.name for pitfall in wanted.pitfalls}
            means = [
                p
                for p in self._everything.pitfalls
                if mark.name in (ALL, p.name, p.group, *p.aliases)
            ]
            if not means:
                return mark.own and not _is_name(mark)
            found = [pitfall.name for pitfall in means if pitfall.finders]
            return bool(found) and names.issuperset(found) and not failed

        return judged


def _by_itself(path: str, told: Told) -> Told:
    told.parts[path] = told
    return told


def _is_name(mark: Mark) -> bool:
    return mark.name in (ALL, *pitfalls.names(), *pitfalls.groups(), *pitfalls.aliases())


def _note(mark: Mark) -> Notice:
    id = "ignores_nothing" if _is_name(mark) else "ignores_unknown"
    return Notice(sentence(id, comment=mark.says), mark.where)


def look(
    code: Code, finders: Iterable[tuple[Pitfall, Finder]], suspicious: bool
) -> tuple[list[Finding], list[Skipped]]:
    """What is found in one file. A finder that raises is a defect of keng's, and no reason to stop."""
    if not code.relevant:
        return [], []
    words = code.source.words
    met = [
        each for each in finders if not (each[1].mentions and each[1].mentions.isdisjoint(words))
    ]
    return _look(code, met, suspicious, Silenced(code.source, code.tree.root))


def place_of(finding: Finding) -> tuple[str, int, int, str]:
    where = finding.hit.where
    if where is None:
        return "", 0, 0, finding.pitfall
    return where.path, where.line, where.column or 0, finding.pitfall


def _look(
    code: Code,
    finders: Iterable[tuple[Pitfall, Finder]],
    suspicious: bool,
    silenced: Silenced,
) -> tuple[list[Finding], list[Skipped]]:
    found: list[Finding] = []
    skipped: list[Skipped] = []
    # Two finders, or two ways of one, may lead to a place.
    seen = set[tuple[str, Span | None, str]]()
    for pitfall, finder in finders:
        try:
            for hit in finder.function(code):
                key = (pitfall.name, hit.where, hit.says)
                finding = _finding(pitfall, hit)
                if key not in seen and finding not in silenced and (hit.sure or suspicious):
                    found.append(finding)
                seen.add(key)
        except Exception as error:
            rule = f"{pitfall.name}.{finder.function.__name__}{pitfalls.bringing(pitfall)}"
            why = sentence("rule_failed", rule=rule, error=f"{type(error).__name__}: {error}")
            skipped.append(Skipped(code.path, why, ours=True))
    return found, skipped


def _finding(pitfall: Pitfall, hit: Hit) -> Finding:
    named = (pitfall.name, pitfall.group, hit.level or pitfall.severity)
    return Finding(*named, hit, "source", aliases=pitfall.aliases)
