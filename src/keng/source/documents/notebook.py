"""Jupyter notebooks (nbformat 4): the code cells as one program, written back so that nothing else moves."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import NamedTuple

from keng._util.texts import sentence
from keng.source.documents.cells import Cell

DECODER = json.JSONDecoder()
SPACE = re.compile(r"[ \t\r\n]*")


class NoNotebook(ValueError):  # noqa: N818
    """Why a text is no notebook."""


class Part(NamedTuple):
    """A value of a JSON text, where it begins and ends; `key` is its name in an object."""

    key: str
    start: int
    end: int


class Notebook:
    """A notebook as text. Raises NoNotebook where it is none that can be read."""

    def __init__(self, text: str) -> None:
        self._text = text
        try:
            told = json.loads(text)
            cells = told["cells"] if isinstance(told, dict) else None
        except (ValueError, RecursionError) as error:
            raise NoNotebook(f"is no notebook: {error}") from None
        except KeyError:
            raise NoNotebook("is no notebook of format 4: it has no cells") from None
        if not isinstance(cells, list) or not all(map(_is_cell, cells)):
            raise NoNotebook("is no notebook of format 4: its cells are broken")
        self._numbers = [n for n, cell in enumerate(cells) if _is_code(cell) and _speaks(told)]
        self._cells = cells

    def pieces(self) -> list[Cell]:
        found = []
        for number, source in zip(self._numbers, self._sources(), strict=True):
            text = "".join(self._cells[number]["source"])
            rows = [self._row(part.start) for part in self._elements(source)]
            if not self._listed(source):
                rows = [self._row(source.start)] * (text.count("\n") + 1)
            found.append(
                Cell(sentence("cell", n=number + 1), text, tuple(rows or [self._row(source.start)]))
            )
        return found

    def with_texts(self, texts: Sequence[str]) -> str:
        """The notebook with other texts in its code cells; what stays is not touched."""
        parts, at = [], 0
        for number, source, text in zip(self._numbers, self._sources(), texts, strict=True):
            if text != "".join(self._cells[number]["source"]):
                parts += [self._text[at : source.start], self._written(source, text)]
                at = source.end
        return "".join([*parts, self._text[at:]])

    def _written(self, source: Part, text: str) -> str:
        ascii_only = self._text.isascii()
        if not self._listed(source):
            return json.dumps(text, ensure_ascii=ascii_only)
        elements = list(self._elements(source))
        lines = [json.dumps(each, ensure_ascii=ascii_only) for each in _lines(text)]
        if not elements or not lines:
            return f"[{', '.join(lines)}]"
        before = self._text[source.start + 1 : elements[0].start]
        after = self._text[elements[-1].end : source.end - 1]
        between = "," + (before or " ")
        return f"[{before}{between.join(lines)}{after}]"

    def _listed(self, source: Part) -> bool:
        return self._text[source.start] == "["

    def _row(self, offset: int) -> int:
        return self._text.count("\n", 0, offset) + 1

    def _sources(self) -> Iterator[Part]:
        """The value of `source` of each code cell."""
        top = Part("", _past_space(self._text, 0), len(self._text))
        cells = next(part for part in self._members(top) if part.key == "cells")
        for number, cell in enumerate(self._elements(cells)):
            if number in self._numbers:
                yield next(part for part in self._members(cell) if part.key == "source")

    def _members(self, part: Part) -> Iterator[Part]:
        text, at = self._text, _past_space(self._text, part.start + 1)
        while text[at] == '"':
            key, at = scanstring(text, at + 1)
            start = _past_space(text, _past_space(text, at) + 1)
            end = DECODER.raw_decode(text, start)[1]
            yield Part(key, start, end)
            at = _past_comma(text, end)

    def _elements(self, part: Part) -> Iterator[Part]:
        text, at = self._text, _past_space(self._text, part.start + 1)
        if text[part.start] != "[":
            return
        while text[at] != "]":
            end = DECODER.raw_decode(text, at)[1]
            yield Part("", at, end)
            at = _past_comma(text, end)


def _past_space(text: str, at: int) -> int:
    match = SPACE.match(text, at)
    return match.end() if match else at


def _past_comma(text: str, at: int) -> int:
    at = _past_space(text, at)
    return _past_space(text, at + 1) if text[at] == "," else at


def _is_cell(cell: object) -> bool:
    if not isinstance(cell, dict):
        return False
    source = cell.get("source")
    lines = source if isinstance(source, list) else [source]
    return all(isinstance(line, str) for line in lines)


def _is_code(cell: dict[str, object]) -> bool:
    return cell.get("cell_type") == "code"


def _speaks(told: dict[str, object]) -> bool:
    """Whether its cells are Python, which they are where nothing else is said."""
    data = told.get("metadata")
    info = data.get("language_info") if isinstance(data, dict) else None
    return not isinstance(info, dict) or info.get("name", "python") in ("python", "ipython")


def _lines(text: str) -> list[str]:
    return re.findall(r"[^\n]*\n|[^\n]+$", text)
