"""Marks: comments in the programs that say which pitfall a line has.

`# check: NAME` is for `keng check`, `# run: NAME` for `keng run`, `# any: NAME` for both. `NAME or NAME`
accepts either, `;` separates two faults of one line, `-` is a fault that no pitfall describes, and a note in
brackets may follow. A mark on a line of its own accepts every line of the program. keng never sees the
marks: it is given a copy without them.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_NAMES = r"(?:-|[a-z0-9][-a-z0-9]*(?: or [a-z0-9][-a-z0-9]*)*)"
_MARK = (
    r"\s*(?:#|//) (?P<command>check|run|any): "
    rf"(?P<faults>{_NAMES}(?:; {_NAMES})*)"
    r"(?P<note> +\((?:[^()]|\([^()]*\))*\))?"
)
MARK = re.compile(_MARK)
MARKS = re.compile(rf"(?:{re.sub(r'[?]P<[a-z]+>', '?:', _MARK)})+$")
ANYWHERE = 0
"""The line of a mark that accepts every line of its program."""


@dataclass(frozen=True)
class Mark:
    """A fault of a program. `path` is relative to the folder that holds the program."""

    path: str
    line: int
    names: frozenset[str]

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {' or '.join(sorted(self.names)) or '-'}"


def marks_of(program: Path, command: str) -> list[Mark]:
    """The faults that a command (check or run) may be expected to name, in a file or a folder of files."""
    return [
        Mark(str(Path(name).relative_to(program.parent)), number, names)
        for path in _files(program)
        for name, lines in _parts(path)
        for number, names in _marks_in(lines, {command, "any"})
    ]


def unmarked_copy(program: Path, folder: Path) -> Path:
    """Copies a program into a folder, without its marks. Lines keep their numbers."""
    copy = folder / program.name
    if program.is_dir():
        shutil.copytree(program, copy, ignore=shutil.ignore_patterns("__pycache__"))
    else:
        shutil.copy(program, copy)
    for path in _files(copy):
        text = path.read_text("utf-8")
        path.write_text(_book(text) if path.suffix == ".ipynb" else without_marks(text), "utf-8")
    return copy


def without_marks(text: str) -> str:
    return "".join(f"{MARKS.sub('', line).rstrip()}\n" for line in text.splitlines())


def _files(program: Path) -> list[Path]:
    if program.is_file():
        return [program]
    return [p for p in sorted(program.rglob("*")) if p.is_file() and p.suffix != ".pyc"]


def _parts(path: Path) -> Iterator[tuple[str, list[str]]]:
    """The lines of a file; those of a notebook cell by cell, under the name that keng gives to each."""
    text = path.read_text("utf-8")
    if path.suffix != ".ipynb":
        yield str(path), text.splitlines()
        return
    for number, cell in enumerate(json.loads(text)["cells"], 1):
        yield f"{path}:cell {number}", [line.rstrip("\n") for line in cell["source"]]


def _marks_in(lines: list[str], commands: set[str]) -> Iterator[tuple[int, frozenset[str]]]:
    for number, line in enumerate(lines, 1):
        end = MARKS.search(line)
        if not end:
            continue
        place = number if line[: end.start()].strip() else ANYWHERE
        for mark in MARK.finditer(end[0]):
            if mark["command"] in commands:
                for fault in mark["faults"].split("; "):
                    yield place, frozenset(fault.split(" or ")) - {"-"}


def _book(text: str) -> str:
    book = json.loads(text)
    for cell in book["cells"]:
        cell["source"] = without_marks("".join(cell["source"])).splitlines(keepends=True)
    return json.dumps(book)
