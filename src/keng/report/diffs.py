"""What a fix or a change does, line by line."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from keng.model import Edit, Fix
from keng.report.frames import lines_of
from keng.report.screen import Line, Piece
from keng.report.words import Words

MARKS = {"-": "removed", "+": "added"}
NEAR = 1
"""Lines around that of a finding which are shown with it."""


class Hunk(NamedTuple):
    """Lines next to each other that a fix takes away and adds, and the number of the first, from 1: of the
    line removed, or of the one that the added lines come before."""

    line: int
    removed: list[str]
    added: list[str]


def of_fix(fix: Fix, text: str, words: Words, at: int | None = None) -> list[Line]:
    """The lines that a fix takes away and adds; what is farther from the line `at` of the finding than the
    lines shown around that has its number, and a line that only moves is shown once."""
    hunks = _hunks(fix, text)
    gone = {line.strip(): hunk.line + n for hunk in hunks for n, line in enumerate(hunk.removed)}
    come = {line.strip() for hunk in hunks for line in hunk.added}
    lines: list[Line] = []
    for hunk in hunks:
        alone = len(hunks) > 1 and not hunk.added
        changed = list(_changed(hunk, gone, come if alone else set(), words))
        if changed and at is not None and abs(hunk.line - at) > NEAR:
            lines.append([Piece(words("at_line", line=hunk.line), "dim")])
        lines += changed
    return lines


def _changed(
    hunk: Hunk, gone: Mapping[str, int], moved: Collection[str], words: Words
) -> Iterator[Line]:
    """The lines of one hunk, those left out that have moved to another one."""
    for line in hunk.removed:
        if line.strip() not in moved:
            yield [_marked("-", line)]
    own = {line.strip() for line in hunk.removed}
    for line in hunk.added:
        came = gone.get(line.strip()) if line.strip() not in own else None
        note = words("within", what=words("moved", line=came)) if came else ""
        yield [_marked("+", line), *([Piece(note, "dim")] if note else [])]


def _marked(mark: str, line: str) -> Piece:
    return Piece(f"{mark} {line}".replace("\t", "    "), MARKS[mark])


def _hunks(fix: Fix, text: str) -> list[Hunk]:
    """Only the lines that a fix reaches are compared."""
    data = text.encode("utf-8", "replace")
    if not fix.edits:
        return []
    first = data.rfind(b"\n", 0, min(edit.start for edit in fix.edits)) + 1
    last = data.find(b"\n", max(edit.end for edit in fix.edits))
    before = data[first : len(data) if last < 0 else last + 1]
    edits = tuple(Edit(edit.start - first, edit.end - first, edit.text) for edit in fix.edits)
    after = Fix(fix.title, edits).applied_to(before)
    old, new = lines_of(before.decode("utf-8")), lines_of(after.decode("utf-8", "replace"))
    top = data[:first].count(b"\n") + 1
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    return [
        Hunk(top + a, old[a:b], new[c:d])
        for kind, a, b, c, d in matcher.get_opcodes()
        if kind != "equal"
    ]


def of_change(path: str, before: str, after: str) -> Iterator[Line]:
    """A change as a unified diff, which `patch` can read."""
    for line in difflib.unified_diff(_lines(before), _lines(after), path, path, lineterm=""):
        yield [Piece(line, "" if line.startswith(("---", "+++")) else MARKS.get(line[:1], ""))]


def _lines(text: str) -> list[str]:
    """Lines ended by "\\n" alone, so that a diff says what `patch` sees."""
    lines = text.split("\n")
    if lines and not lines[-1]:
        return lines[:-1]
    return [*lines[:-1], f"{lines[-1]}\n\\ No newline at end of file"] if lines else []
