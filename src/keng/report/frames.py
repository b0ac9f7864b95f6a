"""The code around a place."""

from __future__ import annotations

import re
from collections.abc import Callable

from keng.report.screen import Line, Piece, columns_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keng.model import Span

Reader = Callable[[str], str | None]
"""Gives the text of a file by its path, where there is one."""

TAB = "    "
AROUND = 1


def frame(where: Span, read: Reader, width: int, around: int = AROUND) -> list[Line]:
    """The line of a place with a caret under it, and its neighbours; nothing where the file is out
    of reach."""
    text = read(where.path)
    lines = lines_of(text) if text else []
    if not 0 < where.line <= len(lines):
        return []
    first, last = max(1, where.line - around), min(len(lines), where.line + around)
    digits = len(str(last))
    shown = []
    for number in range(first, last + 1):
        here = number == where.line
        if not here and not lines[number - 1].strip():
            continue
        start, end = _marked(where, lines[number - 1]) if here else (0, 0)
        text, start, end = _cut(lines[number - 1], start, end, width - digits - 3)
        shown.append([Piece(f"{number:>{digits}} | ", "dim"), Piece(text)])
        if here and text.strip():
            pad = " " * columns_of(text[:start])
            caret = "^" * max(1, columns_of(text[start:end]))
            shown.append([Piece(" " * digits + " | ", "dim"), Piece(pad + caret, "caret")])
    return shown


def line_alone(where: Span, line: str, width: int) -> Line:
    """The line of a place by its text, where the file is not available."""
    text, _, _ = _cut(line, 0, 0, width - len(str(where.line)) - 3)
    return [Piece(f"{where.line} | ", "dim"), Piece(text)]


def lines_of(text: str) -> list[str]:
    """Lines as Python counts them; `str.splitlines` also ends them at form feeds and the like."""
    return re.split(r"\r\n|\r|\n", text)


def _marked(where: Span, line: str) -> tuple[int, int]:
    """The characters of the line that are meant: all, where no column is known."""
    start = len(line) - len(line.lstrip())
    end = len(line.rstrip())
    if where.column is None:
        return start, end
    if where.end_line == where.line and where.end_column is not None:
        end = where.end_column - 1
    return where.column - 1, end


def _cut(line: str, start: int, end: int, width: int) -> tuple[str, int, int]:
    """A line with its tabs widened and, where it is too long, its ends left out."""
    before, marked, after = line[:start], line[start:end], line[end:]
    before, marked, after = (_clean(part) for part in (before, marked, after))
    room = max(20, width)
    text = before + marked + after
    start, end = len(before), len(before) + len(marked)
    if columns_of(text) <= room:
        return text, start, end
    room //= 2 if columns_of(text) > len(text) else 1
    skip = max(0, min(start - room // 3, len(text) - room)) if start > room // 2 else 0
    lead = "..." if skip else ""
    text = lead + text[skip : skip + room - len(lead) - 3]
    moved = len(lead) - skip
    return f"{text}...", start + moved, min(end + moved, len(text))


def _clean(text: str) -> str:
    return "".join(c if c.isprintable() else " " for c in text.replace("\t", TAB))
