"""Programs that lie in pieces in another document: the cells of a notebook, the fenced blocks of a page.

The pieces are joined to one program, each under a line that names it, so that what one defines the
others know. What IPython adds to Python, and a piece that is no Python, stand in it as comments.
"""

from __future__ import annotations

import ast
import re
import warnings
from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import NamedTuple

from keng._util.texts import sentence

HEAD = "# %% "
KEPT = "#keng# "
"""Before the text of a line that is no Python."""
HIDDEN = re.compile(rf"^([ \t]*)(?:pass  )?{KEPT}(.*)$", re.MULTILINE)
MAGIC = re.compile(r"^([ \t]*)((?:[%!?]|[\w., \t]+=[ \t]*[%!]).*|.*\?\??[ \t]*)$", re.MULTILINE)


class Cell(NamedTuple):
    """A piece of Python as it stands in the document: its name there, its text, and for each of its
    lines the line of the document, counted from 1."""

    name: str
    text: str
    rows: tuple[int, ...]

    def row(self, line: int) -> int:
        """The line of the document that holds a line of the piece."""
        return self.rows[min(line, len(self.rows)) - 1]


class Cells(NamedTuple):
    """The pieces of a document; `restore` gives the document with other texts in their places."""

    document: str
    pieces: tuple[Cell, ...]
    starts: tuple[int, ...]
    restore: Callable[[Sequence[str]], str]

    def put_back(self, program: str) -> str:
        """The document with a program in it that was made from its own. Raises ValueError where the
        lines that name the pieces have gone."""
        texts, rest = [], program
        for cell in reversed(self.pieces):
            head = f"{HEAD}{cell.name}\n"
            rest, _, text = rest.rpartition(head)
            if program.count(head) != 1:
                raise ValueError(sentence("pieces_not_distinct", piece=cell.name))
            ends = cell.text.endswith("\n")
            texts.append(HIDDEN.sub(r"\1\2", text if ends else text.removesuffix("\n")))
        return self.restore(texts[::-1])

    def at(self, line: int) -> tuple[Cell, int]:
        """The piece that holds a line of the program, and the line in it, both from 1."""
        number = max(0, bisect_right(self.starts, line) - 1)
        return self.pieces[number], max(1, line - self.starts[number] + 1)

    def displays(self, line: int, text: str) -> bool:
        """Whether an expression that ends in this line of the program is the last of its piece, so
        that a notebook prints what it gives."""
        cell, number = self.at(line)
        rest = cell.text.split("\n")[number:]
        return not any(left.strip() for left in rest) and not text.rstrip().endswith(";")


def joined(
    document: str, pieces: Sequence[Cell], restore: Callable[[Sequence[str]], str]
) -> tuple[str, Cells, list[str]]:
    """The program, how it lies in the document, and which pieces are no Python, with the reason."""
    wrong: list[str] = []
    program, starts, line = [], [], 1
    for cell in pieces:
        python, why = _python(cell.text)
        if why:
            wrong.append(sentence("piece_not_parsable", piece=cell.name, why=why))
        text = f"{HEAD}{cell.name}\n{python}" + ("" if python.endswith("\n") else "\n")
        program.append(text)
        starts.append(line + 1)
        line += text.count("\n")
    return "".join(program), Cells(document, tuple(pieces), tuple(starts), restore), wrong


def _python(text: str) -> tuple[str, str]:
    """A piece as Python, and why it is none."""
    if not _wrong(text):
        return text, ""
    if text.lstrip().startswith("%%"):
        head, newline, rest = text.partition("\n")
        magic = text.split()[0].strip("%")
        if magic in ("time", "timeit", "capture", "prun") and not _wrong(rest):
            return f"{KEPT}{head}{newline}{rest}", ""
        return _hidden(text), ""
    tamed = MAGIC.sub(rf"\1pass  {KEPT}\2", text)
    why = _wrong(tamed)
    return (_hidden(text), why) if why else (tamed, "")


def _hidden(text: str) -> str:
    return "".join(KEPT + line for line in text.splitlines(keepends=True))


def _wrong(text: str) -> str:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(text)
    except SyntaxError as error:
        return sentence("reason_at_line", why=error.msg, line=error.lineno)
    except (RecursionError, MemoryError, ValueError) as error:
        return str(error) or type(error).__name__
    return ""
