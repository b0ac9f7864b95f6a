"""Fenced Python in Markdown: the blocks of a page as one program."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from keng._util.texts import sentence
from keng.source.documents.cells import Cell

FENCE = re.compile(r"^([ \t>]*)(`{3,}|~{3,})[ \t]*\{?\.?(\w*)[^\n`]*$")
PYTHON = {"python", "py", "python3", "py3"}


class Page:
    def __init__(self, text: str) -> None:
        self._lines = re.findall(r"[^\n]*\n|[^\n]+$", text)
        self._blocks = list(self._found())

    def pieces(self) -> list[Cell]:
        return [
            Cell(
                sentence("line_number", line=start + 1),
                self._inside(indent, start, end),
                tuple(range(start + 1, end + 1)),
            )
            for indent, start, end in self._blocks
        ]

    def with_texts(self, texts: Sequence[str]) -> str:
        lines, at = [], 0
        for (indent, start, end), text in zip(self._blocks, texts, strict=True):
            same = text == self._inside(indent, start, end)
            kept = self._lines[start:end] if same else [_indented(text, indent)]
            lines += [*self._lines[at:start], *kept]
            at = end
        return "".join([*lines, *self._lines[at:]])

    def _inside(self, indent: str, start: int, end: int) -> str:
        """The text of a block, without what stands before its fence (a list's indent, a quote's `>`)."""
        return "".join(
            line[len(indent) :] if line.startswith(indent) else line.lstrip(" \t")
            for line in self._lines[start:end]
        )

    def _found(self) -> Iterator[tuple[str, int, int]]:
        """Indent, first line and the line behind the last, from 0, of each block of Python."""
        mark, indent, python, start = "", "", False, 0
        for number, line in enumerate(self._lines):
            fence = FENCE.match(line.rstrip("\r\n"))
            if fence and not mark:
                indent, mark, start = fence[1], fence[2], number + 1
                python = fence[3].lower() in PYTHON
            elif mark and line.strip(" \t>\r\n").startswith(mark) and not line.strip(" \t>\r\n`~"):
                if python and number > start:
                    yield indent, start, number
                mark = ""


def _indented(text: str, indent: str) -> str:
    return "".join(
        indent + line if line.strip() else line for line in text.splitlines(keepends=True)
    )
