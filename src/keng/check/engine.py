"""Runs the finders of pitfalls over files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from keng.check.comments import Silenced
from keng.check.discovery import discover
from keng.model import Blind, Finder, Finding, Hit, Pitfall
from keng.source import Code, Project


@dataclass(frozen=True, slots=True)
class Result:
    """`files` counts those that were looked at; `codes` holds those in which something was found,
    by path."""

    findings: tuple[Finding, ...]
    blind: tuple[Blind, ...]
    files: int
    codes: Mapping[str, Code] = field(default_factory=dict, repr=False)


def run(
    paths: Iterable[str],
    pitfalls: Iterable[Pitfall],
    *,
    suspicious: bool = False,
    texts: Mapping[str, str] | None = None,
) -> Result:
    """Looks at files and folders. `texts` stands for what is in files, or in none (standard input);
    `suspicious` asks for the findings that are not sure as well."""
    found: list[Finding] = []
    blind: list[Blind] = []
    codes: dict[str, Code] = {}
    files = 0
    finders = [(pitfall, finder) for pitfall in pitfalls for finder in pitfall.finders]
    for code in _codes(list(paths), texts or {}):
        if isinstance(code, Blind):
            blind.append(code)
            continue
        files += 1
        findings, failures = look(code, finders, suspicious)
        blind += failures
        if findings:
            found += findings
            codes[code.path] = code
    return Result(tuple(sorted(found, key=_place)), tuple(blind), files, codes)


def _codes(paths: list[str], texts: Mapping[str, str]) -> Iterator[Code | Blind]:
    places = list(discover(path for path in paths if path not in texts))
    project = Project(*_roots(paths), files=[place for place in places if isinstance(place, Path)])
    for path, text in texts.items():
        yield project.read(path, text)
    for place in places:
        if isinstance(place, Blind):
            yield place
        elif str(place) not in texts:
            yield project.read(place)


def look(
    code: Code, finders: Iterable[tuple[Pitfall, Finder]], suspicious: bool
) -> tuple[list[Finding], list[Blind]]:
    """What is found in one file. A finder that raises is a defect of keng's, and no reason to stop."""
    found: list[Finding] = []
    blind: list[Blind] = []
    if not code.relevant:
        return found, blind
    silenced = Silenced(code)
    for pitfall, finder in finders:
        try:
            for hit in _distinct(finder.function(code)):
                finding = Finding(pitfall.name, pitfall.group, pitfall.severity, hit, "source")
                if (hit.sure or suspicious) and finding not in silenced:
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
