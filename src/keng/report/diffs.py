"""What a fix or a change does, line by line."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from keng.model import Edit, Fix
from keng.report.frames import lines_of
from keng.report.screen import Line, Piece

MARKS = {"-": "removed", "+": "added"}


def of_fix(fix: Fix, text: str) -> list[Line]:
    """The lines that a fix takes away and adds. Only the lines that it reaches are compared."""
    data = text.encode("utf-8", "replace")
    if not fix.edits:
        return []
    first = data.rfind(b"\n", 0, min(edit.start for edit in fix.edits)) + 1
    last = data.find(b"\n", max(edit.end for edit in fix.edits))
    before = data[first : len(data) if last < 0 else last + 1]
    edits = tuple(Edit(edit.start - first, edit.end - first, edit.text) for edit in fix.edits)
    after = Fix(fix.title, edits).applied_to(before)
    return list(_changed(before.decode("utf-8"), after.decode("utf-8", "replace")))


def _changed(before: str, after: str) -> Iterator[Line]:
    for line in difflib.unified_diff(lines_of(before), lines_of(after), lineterm="", n=0):
        if not line.startswith(("---", "+++")) and line[:1] in MARKS:
            yield [Piece(f"{line[0]} {line[1:]}".replace("\t", "    "), MARKS[line[0]])]


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
