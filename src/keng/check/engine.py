"""Runs the finders of pitfalls over files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import compress
from pathlib import Path

from keng import catalog
from keng.check.baseline import Baseline
from keng.check.clean import ENOUGH, Clean
from keng.check.copies import quietly, told_once
from keng.check.discovery import discover
from keng.check.rules import Rules, Wanted
from keng.model import Blind, Finder, Finding, Hit, Note, Pitfall
from keng.source import Code, Project
from keng.source.comments import ALL, Mark, Silenced


@dataclass(frozen=True, slots=True)
class Terms:
    """What narrows a check; by default nothing does. `rules` choose the pitfalls for each file,
    `baseline` holds the findings not to be told, `on_file` hears how many files are done, of how
    many, `markdown` asks for pages with fenced Python, `force_exclude` leaves out what is excluded even
    where it is named, `remember` passes over what was clean and has not changed."""

    rules: Rules | None = None
    gitignore: bool = False
    markdown: bool = False
    remember: bool = False
    force_exclude: bool = False
    baseline: Baseline | None = None
    on_file: Callable[[int, int], None] = lambda done, total: None

    def discovered(self, paths: Iterable[str]) -> list[Path | Blind]:
        find = partial(discover, gitignore=self.gitignore, markdown=self.markdown)
        if self.rules is None:
            return list(find(paths))
        if self.force_exclude:
            paths = [path for path in paths if not self._excluded(Path(path), self.rules)]
        return list(find(paths, excluded=self.rules.excluded))

    def _excluded(self, path: Path, rules: Rules) -> bool:
        """Whether a path is left out, or a folder above it."""
        folders = [folder for folder in path.parents if folder.name]
        return rules.excluded(str(path), path.is_dir()) or any(
            rules.excluded(str(folder), True) for folder in folders
        )


@dataclass(frozen=True, slots=True)
class Result:
    """`files` counts those that were looked at, `known` the findings that the baseline holds back;
    `codes` holds those of which something is told, by path."""

    findings: tuple[Finding, ...]
    blind: tuple[Blind, ...]
    files: int
    codes: Mapping[str, Code] = field(default_factory=dict, repr=False)
    notes: tuple[Note, ...] = ()
    known: int = 0


def run(
    paths: Iterable[str],
    pitfalls: Iterable[Pitfall],
    *,
    suspicious: bool = False,
    texts: Mapping[str, str] | None = None,
    terms: Terms | None = None,
) -> Result:
    """Looks at files and folders. `texts` stands for what is in files, or in none (standard input);
    `suspicious` asks for the findings that are not sure as well. Raises Wrong for a configuration that
    is wrong."""
    terms = terms or Terms()
    look_through = _Look(tuple(pitfalls), suspicious, terms)
    paths, texts = list(paths), texts or {}
    places = terms.discovered(path for path in paths if path not in texts)
    files = [place for place in places if isinstance(place, Path)]
    project = _project(paths, files, terms)
    for path, text in texts.items():
        look_through.take(project.read(path, text))
    remembers = terms.remember and not texts and len(files) >= ENOUGH
    clean = Clean(files, project, paths) if remembers else None
    for done, place in enumerate(places, 1):
        if str(place) not in texts:
            look_through.place(place, project, clean)
        terms.on_file(done, len(places))
    if clean is not None:
        clean.keep()
    return look_through.result()


class _Look:
    """What was found so far."""

    def __init__(self, pitfalls: tuple[Pitfall, ...], suspicious: bool, terms: Terms) -> None:
        asked = frozenset(pitfall.name for pitfall in pitfalls)
        self._everything = Wanted(pitfalls, suspicious, asked)
        self._terms = terms
        self.found: list[Finding] = []
        self.blind: list[Blind] = []
        self.notes: list[Note] = []
        self.codes: dict[str, Code] = {}
        self.files = self.known = 0

    def place(self, place: Path | Blind, project: Project, clean: Clean | None) -> None:
        """Looks at a file, if it is not remembered as clean."""
        if clean is None or isinstance(place, Blind):
            self.take(place if isinstance(place, Blind) else project.read(place))
            return
        wanted = self._wanted(str(place))
        if clean.remembers(place, wanted):
            self.files += 1
            return
        before = self.files, self._told
        self.take(project.read(place))
        if (self.files - 1, self._told) == before:
            clean.add(place, wanted)

    @property
    def _told(self) -> int:
        return len(self.found) + len(self.blind) + len(self.notes) + self.known

    def _wanted(self, path: str) -> Wanted:
        rules = self._terms.rules
        return rules.wanted(path) if rules else self._everything

    def take(self, code: Code | Blind) -> None:
        if isinstance(code, Blind):
            self.blind.append(code)
            return
        self.files += code.relevant or not code.is_native
        if not code.relevant:
            return
        self.blind += code.source.blind
        wanted = self._wanted(code.path)
        finders = [(pitfall, finder) for pitfall in wanted.pitfalls for finder in pitfall.finders]
        silenced = Silenced(code.source, code.tree)
        found, failures = _look(code, finders, wanted.suspicious, silenced)
        self.blind += failures
        notes = list(silenced.unused(self._judged(wanted, failed=bool(failures))))
        self.notes += notes
        found = quietly(found, code.source, wanted.asked)
        new = self._without_known(sorted(found, key=_place), code)
        self.found += new
        if new or notes:
            self.codes[code.path] = code

    def result(self) -> Result:
        found = tuple(told_once(sorted(self.found, key=_place), self.codes))
        notes = tuple(sorted(self.notes, key=lambda note: (note.where.path, note.where.line)))
        return Result(found, tuple(self.blind), self.files, self.codes, notes, self.known)

    def _without_known(self, found: list[Finding], code: Code) -> list[Finding]:
        if self._terms.baseline is None or not found:
            return found
        new = [not known for known in self._terms.baseline.known(found, code)]
        self.known += new.count(False)
        return list(compress(found, new))

    def _judged(self, wanted: Wanted, failed: bool) -> Callable[[Mark], bool]:
        """Whether a comment can be said to silence nothing: all that its name means was looked for, or
        it means nothing."""

        def judged(mark: Mark) -> bool:
            names = {pitfall.name for pitfall in wanted.pitfalls}
            means = [p for p in self._everything.pitfalls if mark.name in (ALL, p.name, p.group)]
            if not means:
                return mark.own and mark.name not in (*catalog.names(), *catalog.groups())
            found = [pitfall.name for pitfall in means if pitfall.finders]
            return bool(found) and names.issuperset(found) and not failed

        return judged


def _project(paths: list[str], files: list[Path], terms: Terms) -> Project:
    torch = terms.rules.torch if terms.rules else lambda path: ""
    return Project(*_roots(paths), files=files, torch=torch)


def look(
    code: Code, finders: Iterable[tuple[Pitfall, Finder]], suspicious: bool
) -> tuple[list[Finding], list[Blind]]:
    """What is found in one file. A finder that raises is a defect of keng's, and no reason to stop."""
    return (
        _look(code, finders, suspicious, Silenced(code.source, code.tree))
        if code.relevant
        else ([], [])
    )


def _look(
    code: Code,
    finders: Iterable[tuple[Pitfall, Finder]],
    suspicious: bool,
    silenced: Silenced,
) -> tuple[list[Finding], list[Blind]]:
    found: list[Finding] = []
    blind: list[Blind] = []
    for pitfall, finder in finders:
        try:
            for hit in _distinct(finder.function(code)):
                finding = Finding(pitfall.name, pitfall.group, pitfall.severity, hit, "source")
                if finding not in silenced and (hit.sure or suspicious):
                    found.append(finding)
        except Exception as error:
            name = f"finder {pitfall.name}.{finder.function.__name__}"
            blind.append(Blind(code.path, f"{name}: {type(error).__name__}: {error}"))
    return found, blind


def _distinct(hits: Iterable[Hit]) -> Iterator[Hit]:
    """A finder may come by the same place on two ways."""
    seen = set()
    for hit in hits:
        key = (hit.where, hit.says)
        if key not in seen:
            seen.add(key)
            yield hit


def _roots(paths: Iterable[str]) -> Iterator[Path]:
    """Where imports may start from: the folders named, and the one where the command was given."""
    yield from dict.fromkeys([Path(), *(Path(path) for path in paths if Path(path).is_dir())])


def _place(finding: Finding) -> tuple[str, int, int, str]:
    where = finding.hit.where
    if where is None:
        return "", 0, 0, finding.pitfall
    return where.path, where.line, where.column or 0, finding.pitfall
