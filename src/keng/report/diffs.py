"""What a fix or a change does, line by line."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Iterable, Iterator, Mapping
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
    """The lines that a fix removes and adds. Those farther from the line `at` of the finding than the lines
    shown around it have their number, and so have lines that come between two others, and the new place of a
    line that moves, which is shown once."""
    hunks = _hunks(fix, text)
    gone = {line.strip(): hunk.line + n for hunk in hunks for n, line in enumerate(hunk.removed)}
    come = {line.strip() for hunk in hunks for line in hunk.added}
    lines: list[Line] = []
    behind = at
    for hunk in hunks:
        alone = len(hunks) > 1 and not hunk.added
        came = _came_from(hunk, gone)
        changed = list(_changed(hunk, came, come if alone else set(), words))
        if changed and at is not None and behind is not None:
            far = min(abs(hunk.line - at), abs(hunk.line - behind)) > NEAR
            between = not hunk.removed and hunk.line <= text.count("\n")
            if far or came or between:
                place = words("above_line" if between else "at_line", line=hunk.line)
                lines.append([Piece(place, "dim")])
            behind = hunk.line + len(hunk.removed)
        lines += changed
    return lines


def removed_lines(fix: Fix, text: str) -> frozenset[int]:
    """The numbers of the lines that a fix removes or rewrites, from 1."""
    hunks = _hunks(fix, text)
    return frozenset(hunk.line + n for hunk in hunks for n in range(len(hunk.removed)))


def _changed(
    hunk: Hunk, came: Mapping[str, int], moved: Collection[str], words: Words
) -> Iterator[Line]:
    """The lines of one hunk, those left out that have moved to another one. `came` has the numbers that
    lines moved here from."""
    for line in hunk.removed:
        if line.strip() not in moved:
            yield [_marked("-", line)]
    for line in hunk.added:
        number = came.get(line.strip())
        note = words("within", what=words("moved", line=number)) if number else ""
        yield [_marked("+", line), *([Piece(note, "dim")] if note else [])]


def _came_from(hunk: Hunk, gone: Mapping[str, int]) -> dict[str, int]:
    """The lines that a hunk adds and another one removes, with their numbers there."""
    own = {line.strip() for line in hunk.removed}
    added = {line.strip() for line in hunk.added} - own
    return {line: gone[line] for line in added if line in gone}


def _marked(mark: str, line: str) -> Piece:
    return Piece(f"{mark} {line}".replace("\t", "    "), MARKS[mark])


def _hunks(fix: Fix, text: str) -> list[Hunk]:
    """The changes of each stretch of lines that edits reach, so that what is taken out and put in again is
    seen to move."""
    data = text.encode("utf-8", "replace")
    return [hunk for edits in _stretches(fix.edits, data) for hunk in _compared(edits, data)]


def _stretches(edits: Iterable[Edit], data: bytes) -> Iterator[list[Edit]]:
    """Edits that reach the same lines, together."""
    group: list[Edit] = []
    end = -1
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        first, last = _whole_lines(edit, data)
        if group and first >= end:
            yield group
            group = []
        group.append(edit)
        end = max(last, end)
    if group:
        yield group


def _whole_lines(edit: Edit, data: bytes) -> tuple[int, int]:
    """Where the lines begin and end that an edit reaches: none for lines put in between two."""
    first = data.rfind(b"\n", 0, edit.start) + 1
    whole = first == edit.start and edit.text[-1:] in ("", "\n")
    if whole and (edit.end == 0 or data[edit.end - 1 : edit.end] == b"\n"):
        return first, edit.end
    last = data.find(b"\n", edit.end)
    return first, len(data) if last < 0 else last + 1


def _compared(edits: list[Edit], data: bytes) -> Iterator[Hunk]:
    ends = [_whole_lines(edit, data) for edit in edits]
    first, last = min(start for start, _ in ends), max(end for _, end in ends)
    here = tuple(Edit(edit.start - first, edit.end - first, edit.text) for edit in edits)
    after = Fix("", here).applied_to(data[first:last]).decode("utf-8", "replace")
    old, new = lines_of(data[first:last].decode("utf-8")), lines_of(after)
    top = data[:first].count(b"\n") + 1
    for kind, a, b, c, d in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind != "equal":
            yield Hunk(top + a, old[a:b], new[c:d])


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
