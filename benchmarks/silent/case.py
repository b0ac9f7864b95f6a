"""The cases: one file each, of which a faulty program, its clean twin and a near miss are made.

A line that ends in `#: faulty`, `#: clean` or `#: near` (or several of them) stands in these programs only;
all others stand in all three. Left-out lines are left blank, so that the three number their lines alike.
`here` marks the lines of which one is to be named. The docstring's last paragraph tells the source, the
pitfalls of which one is the cause, how many ranks the program has, and whether it stalls.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).with_name("programs")
KINDS = ("faulty", "clean", "near")
MARK = re.compile(r"\s*#: (?P<words>[a-z ]+)$")
FACTS = re.compile(
    r"Source: (?P<source>.+)\. Cause: (?P<causes>[-a-z0-9, ]+)\."
    r"(?: Ranks: (?P<ranks>\d+)\.)?(?P<stalls> Stalls\.)?$"
)


@dataclass(frozen=True)
class Case:
    name: str
    title: str
    source: str
    causes: frozenset[str]
    ranks: int
    lines: frozenset[int]
    """One of which is to be named in the faulty program."""
    stalls: bool
    """The faulty program does not end by itself."""
    programs: dict[str, str]
    """Kind -> text."""


def every() -> list[Case]:
    """Sorted as the sources are: TrainCheck's, then the twenty checks."""
    cases = [read(path) for path in FOLDER.glob("*.py")]
    return sorted(cases, key=lambda case: (case.source.startswith("check"), *_numbers(case)))


def read(path: Path) -> Case:
    text = path.read_text("utf-8")
    title, _, facts = (ast.get_docstring(ast.parse(text)) or "").partition("\n\n")
    told = FACTS.match(facts)
    assert told, f"{path}: no source and cause"
    lines = text.splitlines()
    return Case(
        path.stem,
        title,
        told["source"],
        frozenset(told["causes"].split(", ")),
        int(told["ranks"] or 1),
        frozenset(n for n, line in enumerate(lines, 1) if "here" in _words(line)),
        bool(told["stalls"]),
        {kind: "\n".join(_left(line, kind) for line in lines) + "\n" for kind in KINDS},
    )


def _words(line: str) -> frozenset[str]:
    mark = MARK.search(line)
    return frozenset(mark["words"].split() if mark else ())


def _left(line: str, kind: str) -> str:
    wanted = _words(line) & {*KINDS}
    return MARK.sub("", line) if not wanted or kind in wanted else ""


def _numbers(case: Case) -> tuple[int, str]:
    return int((re.findall(r"\d+", case.source) or ["0"])[0]), case.name
