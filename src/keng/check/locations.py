"""Where findings are told that lie in a cell of a notebook or in a block of a page.

Finders count lines in the program that the pieces make together; people count them in the cell, or in
the page, and programs that mark files count them in the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from keng.model import Edit, Finding, Fix, Hit, Notice, Span
from keng.source.documents.cells import Cell, Cells
from keng.source.text import Source

Sources = Mapping[str, Source]
LINE = re.compile(r"\bline (\d+)\b")


def placed(found: Iterable[Finding], sources: Sources, cells: bool) -> list[Finding]:
    """With `cells`, the path of a notebook says the cell (`train.ipynb:cell 3`) and the line counts in
    it; without, the line is that of the file, where columns and fixes have no meaning."""
    places = {path: _Places(source, cells) for path, source in sources.items() if source.cells}
    return [
        finding._replace(hit=places[where.path].of_hit(finding.hit, where))
        if (where := finding.hit.where) and where.path in places
        else finding
        for finding in found
    ]


def noted(notes: Iterable[Notice], sources: Sources, cells: bool) -> list[Notice]:
    """The same for notes."""
    places = {path: _Places(source, cells) for path, source in sources.items() if source.cells}
    return [
        note._replace(where=places[note.where.path].of_span(note.where))
        if note.where.path in places
        else note
        for note in notes
    ]


def texts(sources: Sources) -> dict[str, str]:
    """What places lie in, by path."""
    found = {}
    for path, source in sources.items():
        found[path] = source.document
        pieces = source.cells.pieces if source.cells else ()
        found |= {_path(path, cell): cell.text for cell in pieces}
    return found


class _Places:
    """The places of one document."""

    def __init__(self, source: Source, cells: bool) -> None:
        assert source.cells is not None, "only documents with pieces come here"
        self._source = source
        self._cells: Cells = source.cells
        self._notebook = source.path.lower().endswith(".ipynb")
        self._by_cell = cells and self._notebook

    def of_hit(self, hit: Hit, where: Span) -> Hit:
        says = LINE.sub(lambda match: self._named(int(match[1]), where.line), hit.says)
        fix = self._fix(hit.fix, where.line) if hit.fix else None
        return hit._replace(says=says, where=self.of_span(where), fix=fix)

    def of_span(self, where: Span) -> Span:
        cell, line = self._cells.at(where.line)
        end = where.end_line and where.end_line - where.line + line
        if self._by_cell:
            return Span(_path(where.path, cell), line, where.column, end, where.end_column)
        return Span(where.path, cell.row(line))

    def _named(self, line: int, seen_from: int) -> str:
        cell, number = self._cells.at(line)
        if not self._by_cell:
            return f"line {cell.row(number)}"
        here = cell is self._cells.at(seen_from)[0]
        return f"line {number}" if here else f"line {number} of {cell.name}"

    def _fix(self, fix: Fix, line: int) -> Fix | None:
        """The edits counted in the text that is shown; none where they reach out of the piece, or the
        piece is not in it as it is in the program."""
        if self._notebook and not self._by_cell:
            return None
        cell, number = self._cells.at(line)
        size = len(cell.text.encode())
        start = self._source.offset(line - number + 1, 0)
        into = 0 if self._by_cell else _offset(self._cells.document, cell.row(1))
        shown = (cell.text if self._by_cell else self._cells.document).encode()
        if shown[into : into + size] != self._source.data[start : start + size]:
            return None
        if any(edit.start < start or edit.end > start + size for edit in fix.edits):
            return None
        shift = into - start
        edits = tuple(Edit(e.start + shift, e.end + shift, e.text) for e in fix.edits)
        return fix._replace(edits=edits)


def _path(path: str, cell: Cell) -> str:
    return f"{path}:{cell.name}"


def _offset(text: str, line: int) -> int:
    """The byte at which a line of a text begins."""
    return sum(len(each.encode()) for each in text.split("\n")[: line - 1]) + line - 1
