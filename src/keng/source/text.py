"""A source file as text: decoding, places, and what cannot be read."""

from __future__ import annotations

import ast
import os
import stat
import tokenize
import warnings
from bisect import bisect_right
from collections.abc import Callable
from functools import cached_property
from io import BytesIO
from itertools import accumulate
from pathlib import Path

from keng._util.record import Record
from keng._util.texts import sentence, why
from keng.model import Skipped, Span
from keng.source.documents.cells import Cells, joined
from keng.source.documents.markdown import Page
from keng.source.documents.notebook import Notebook
from keng.source.native.tokens import NATIVE_ENDS

HOSTS: dict[str, Callable[[str], Notebook | Page]] = {
    ".ipynb": Notebook,
    ".md": Page,
    ".markdown": Page,
}
"""What holds programs in pieces, by the end of its name."""
BOM = b"\xef\xbb\xbf"
BLANKS = bytes(c if c > 127 or chr(c).isalnum() or chr(c) == "_" else ord(" ") for c in range(256))
"""Leaves words, and blanks for the rest."""
BIGGEST = 20_000_000
"""Bytes. A larger file is generated or no source at all."""


class Source(Record):
    """Decoded text; `data` is its UTF-8, which `Edit` offsets and `ast` columns count in. `cells` tells
    how a program lies in a document, `skipped` what of it is no program."""

    path: str
    text: str
    data: bytes
    encoding: str
    bom: bool
    cells: Cells | None = None
    skipped: tuple[Skipped, ...] = ()

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """Where lines start."""
        ends = list(accumulate(map(len, self.data.splitlines(keepends=True))))
        if not self.data.endswith((b"\n", b"\r")):
            ends = ends[:-1]
        return 0, *ends

    @cached_property
    def words(self) -> frozenset[bytes]:
        """The names and other words in the program, comments and texts included."""
        return frozenset(self.data.translate(BLANKS).split())

    @property
    def document(self) -> str:
        """The text of the file."""
        return self.cells.document if self.cells else self.text

    def put_back(self, program: str) -> str:
        """The text of the file with the program changed. Raises ValueError where that cannot be."""
        return self.cells.put_back(program) if self.cells else program

    def offset(self, line: int, column: int) -> int:
        """Byte offset of an ast position (line from 1, column in UTF-8 bytes from 0)."""
        return self.starts[line - 1] + column

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column of a byte offset, both from 1, the column in characters."""
        line = bisect_right(self.starts, offset)
        before = self.data[self.starts[line - 1] : offset]
        return line, len(before.decode("utf-8", "replace")) + 1

    def span(self, start: int, end: int) -> Span:
        return Span(self.path, *self.place(start), *self.place(end))

    def line(self, number: int) -> str:
        start, end = self.starts[number - 1], self._ends[number - 1]
        return self.data[start:end].decode("utf-8").rstrip("\r\n")

    @cached_property
    def _ends(self) -> tuple[int, ...]:
        """Where each line ends: at the start of the next."""
        return (*self.starts[1:], len(self.data))


def load(path: str | Path) -> Source | Skipped:
    """Reads and decodes a file as Python would (PEP 263, BOM)."""
    try:
        status = os.stat(path)
        if stat.S_ISDIR(status.st_mode):
            return Skipped(str(path), sentence("is_folder"))
        if not stat.S_ISREG(status.st_mode):
            return Skipped(str(path), sentence("not_regular_file"))
        if status.st_size > BIGGEST:
            return Skipped(str(path), sentence("too_large", size=BIGGEST // 1_000_000))
        with open(path, "rb") as file:
            raw = file.read()
    except (OSError, ValueError) as error:
        return Skipped(str(path), why(error))
    return decode(raw, str(path))


def decode(raw: bytes, path: str) -> Source | Skipped:
    if b"\0" in raw:
        return Skipped(path, sentence("is_binary"))
    try:
        encoding, _ = tokenize.detect_encoding(BytesIO(raw).readline)
        text = raw.decode(encoding)
    except (SyntaxError, UnicodeDecodeError, LookupError) as error:
        if not path.lower().endswith(NATIVE_ENDS):
            return Skipped(path, sentence("not_decodable", why=error))
        encoding = "latin-1"  # a C++ compiler takes any bytes in a comment
        text = raw.decode(encoding)
    return of_text(text, path, encoding, raw.startswith(BOM))


def of_text(text: str, path: str, encoding: str = "utf-8", bom: bool = False) -> Source | Skipped:
    kind = HOSTS.get(os.path.splitext(path)[1].lower())
    if kind is None:
        return Source(path, text, text.encode("utf-8", "replace"), encoding, bom)
    try:
        host = kind(text)
    except ValueError as error:
        return Skipped(path, error.args[0])
    program, cells, wrong = joined(text, host.pieces(), host.with_texts)
    data, skipped = program.encode("utf-8", "replace"), tuple(Skipped(path, why) for why in wrong)
    return Source(path, program, data, encoding, bom, cells, skipped)


def parse(source: Source) -> ast.Module | Skipped:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # invalid escapes are not ours to report
            return ast.parse(source.data.decode("utf-8"))
    except SyntaxError as error:
        at_line = sentence("reason_at_line", why=error.msg, line=error.lineno)
        return Skipped(source.path, sentence("not_parsable", why=at_line))
    except (RecursionError, MemoryError, ValueError) as error:
        reason = str(error) or type(error).__name__
        return Skipped(source.path, sentence("not_parsable", why=reason))
