"""Places as lines and columns, counted in characters or in bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from keng.report.frames import Reader, lines_of

if TYPE_CHECKING:
    from keng.model import Edit, Span


class Region(NamedTuple):
    """Lines and columns from 1; the end is exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int


def region_of(edit: Edit, text: str, in_bytes: bool = False) -> Region:
    """The place of an edit, its columns counted in characters or in bytes of UTF-8."""
    data = text.encode("utf-8", "replace")
    return Region(*_place(data[: edit.start], in_bytes), *_place(data[: edit.end], in_bytes))


def _place(before: bytes, in_bytes: bool) -> tuple[int, int]:
    lines = lines_of(before.decode("utf-8", "replace"))
    last = lines[-1]
    return len(lines), len(last.encode("utf-8", "replace") if in_bytes else last) + 1


def bytes_before(where: Span, read: Reader) -> tuple[int | None, int | None]:
    """The columns of a place counted in bytes of UTF-8, as far as they are known."""
    lines = lines_of(read(where.path) or "")
    ends = ((where.line, where.column), (where.end_line, where.end_column))
    first, last = (_in_bytes(lines, line, column) for line, column in ends)
    return first, last


def _in_bytes(lines: list[str], line: int | None, column: int | None) -> int | None:
    if line is None or column is None or line > len(lines):
        return column
    return len(lines[line - 1][: column - 1].encode("utf-8", "replace")) + 1
