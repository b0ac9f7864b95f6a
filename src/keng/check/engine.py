"""Runs the finders of pitfalls over files."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from keng._util.texts import sentence
from keng.check.analyzer import MOST_HELD, Look, Place, Told, place_of
from keng.check.baseline import Baseline
from keng.check.cache import ENOUGH, Remembered
from keng.check.deduplicate import joined, path_of, told_once
from keng.check.discovery import discover
from keng.check.pool import cores, in_processes
from keng.check.rules import Rules, Wanted
from keng.model import Finding, Notice, Pitfall, Skipped
from keng.source import Code, Project
from keng.source.text import Source

WHOLE = 12_000_000
"""Bytes of source: about 150,000 lines. So much is checked in one piece, and nothing of it parsed twice."""
PORTION = 8_000_000
"""Bytes of larger programs. What is held of others is let go before the next."""


class Terms(NamedTuple):
    """What narrows a check; by default nothing does. `rules` choose the pitfalls for each file,
    `baseline` holds the findings not to be reported, `on_file` hears how many files are done, of how
    many, `markdown` asks for pages with fenced Python, `force_exclude` leaves out what is excluded even
    where it is named, `part` chooses those of the files that are reported on, with all of them as their
    project, `remember` takes from the cache what was found in files that have not changed."""

    rules: Rules | None = None
    gitignore: bool = False
    markdown: bool = False
    remember: bool = False
    force_exclude: bool = False
    baseline: Baseline | None = None
    on_file: Callable[[int, int], None] = lambda done, total: None
    part: Callable[[Sequence[Path | Skipped]], Sequence[Path | Skipped]] | None = None

    def discovered(self, paths: Iterable[str]) -> list[Path | Skipped]:
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


class Result(NamedTuple):
    """`files` counts those that were checked, `foreign` those of them that do not use PyTorch,
    `known` the findings that the baseline holds back, `hints` those that are counted and not shown;
    `codes` holds the files with findings or notices, by path, parsed when one is asked for, and `sources`
    their texts."""

    findings: tuple[Finding, ...]
    skipped: tuple[Skipped, ...]
    files: int
    codes: Mapping[str, Code] = {}
    sources: Mapping[str, Source] = {}
    notes: tuple[Notice, ...] = ()
    known: int = 0
    foreign: int = 0
    hints: tuple[Finding, ...] = ()


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
    paths, texts = list(paths), texts or {}
    places = terms.discovered(path for path in paths if path not in texts)
    files = [place for place in places if isinstance(place, Path)]
    project = _project(paths, files, terms)
    chosen = tuple(pitfalls)
    wanted = Wanted(chosen, suspicious, asked=frozenset(pitfall.name for pitfall in chosen))
    whole = any(Path(path).is_dir() for path in paths)
    look = Look(project, wanted, terms.rules, terms.baseline, whole)
    told = Told()
    for path, text in texts.items():
        project.files.override(path, text)  # before any of them is asked of another
    for path in texts:
        told.add(look.at_code(project.read(path)))
    if terms.part is not None:
        places = list(terms.part(places))
    remembers = terms.remember and terms.part is None and not texts and len(files) >= ENOUGH
    memory = Remembered(files, project, paths) if remembers else None
    left: list[Place] = []
    for place in places:
        recalled = memory.recall(place, look.wanted) if memory is not None else None
        if recalled is not None:
            told.add(recalled)
        elif str(place) not in texts:
            left.append(place)
    told.add(_looked(look, left, terms.on_file))
    if memory is not None:
        memory.keep(told.parts, look.wanted)
        told.skipped.sort(key=lambda skipped: skipped.path)
    told.skipped += terms.rules.configs.skipped if terms.rules is not None else ()
    return _result(told, project)


def _looked(look: Look, places: list[Place], on_file: Callable[[int, int], None]) -> Told:
    """Looks at portions of files one after the other, or several at once: what is told is the same."""
    told, done = Told(), 0
    sizes = [_size(place) for place in places]
    together, most = (PORTION, MOST_HELD) if sum(sizes) > WHOLE else (WHOLE, WHOLE)
    portions = list(_portions(places, sizes, together))
    at_once = len(portions) > 1 and cores() > 1
    for portion, found in zip(portions, _in_turn(look, portions, most, at_once), strict=True):
        told.add(found)
        done += len(portion)
        on_file(done, len(places))
    return told


def _in_turn(look: Look, portions: list[list[Place]], most: int, at_once: bool) -> Iterator[Told]:
    def work(number: int) -> Told:
        look.project.trees.clear()
        return look.at(portions[number], most)

    if not at_once:
        yield from map(work, range(len(portions)))
        return
    look.project.trees.learn_callers()  # once for all processes
    for portion, found in zip(portions, in_processes(work, len(portions)), strict=True):
        yield (
            Told(skipped=[Skipped(str(p), sentence("process_died")) for p in portion])
            if found is None
            else found
        )


def _portions(
    places: Iterable[Place], sizes: Iterable[int], together: int
) -> Iterator[list[Place]]:
    """Neighbours, so many bytes of source or a little more: they mostly ask for each other."""
    portion: list[Place] = []
    size = 0
    for place, more in zip(places, sizes, strict=True):
        portion.append(place)
        size += more
        if size >= together:
            yield portion
            portion, size = [], 0
    if portion:
        yield portion


def _size(place: Place) -> int:
    try:
        return 0 if isinstance(place, Skipped) else os.stat(place).st_size
    except (OSError, ValueError):
        return 0


def counted(result: Result) -> Result:
    """A result in which one finding stands for those of its file that say the same, where one is enough."""
    found, hints = tuple(joined(result.findings)), tuple(joined(result.hints))
    return result._replace(findings=found, hints=hints)


def _result(told: Told, project: Project) -> Result:
    # A finding may lie in another file than the one that was checked.
    sources = _sources(project, [*told.paths, *map(path_of, told.found)])
    found = tuple(told_once(sorted(told.found, key=place_of), sources))
    hints = sorted(told.hints, key=place_of)
    hints = told_once(hints, _sources(project, map(path_of, hints)))
    notes = tuple(sorted(told.notes, key=lambda note: (note.where.path, note.where.line)))
    codes = Codes(list(sources), project)
    skipped, counts = tuple(told.skipped), (told.known, told.foreign)
    return Result(found, skipped, told.files, codes, sources, notes, *counts, tuple(hints))


def _sources(project: Project, paths: Iterable[str]) -> dict[str, Source]:
    loaded = {path: project.files.source(path) for path in dict.fromkeys(paths) if path}
    return {path: each for path, each in loaded.items() if isinstance(each, Source)}


class Codes(Mapping[str, Code]):
    """The code of some files, which is parsed when it is asked for."""

    def __init__(self, paths: list[str], project: Project) -> None:
        self._paths = paths
        self._project = project

    def __getitem__(self, path: str) -> Code:
        code = self._project.read(path) if path in self._paths else None
        if not isinstance(code, Code):
            raise KeyError(path)
        return code

    def __iter__(self) -> Iterator[str]:
        return iter(self._paths)

    def __len__(self) -> int:
        return len(self._paths)


def _project(paths: list[str], files: list[Path], terms: Terms) -> Project:
    torch = terms.rules.torch if terms.rules else lambda path: ""
    return Project(*_roots(paths), files=files, torch=torch)


def _roots(paths: Iterable[str]) -> Iterator[Path]:
    """Where imports may start from: the folders named, and the one where the command was given."""
    yield from dict.fromkeys([Path(), *(Path(path) for path in paths if Path(path).is_dir())])
