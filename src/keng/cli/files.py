"""Texts of files for the report, the standard input, and places to be written to."""

from __future__ import annotations

import linecache
import os
import stat
import sys
from collections.abc import Iterable, Mapping
from functools import cache
from typing import cast

from keng._util.disk import save, unmakable, unwritable
from keng.cli.commands import refused
from keng.report.frames import Reader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from io import BufferedReader
    from typing import BinaryIO, TextIO

PIECE = 1 << 16
"""Bytes of standard input that are read at a time."""
ENOUGH = 16 * 1024 * 1024
"""Bytes of a log that are read, from its end: what broke stands there."""


def reader(texts: Mapping[str, str] | None = None) -> Reader:
    """Texts as they were looked at, or else as they are in the files."""

    @cache
    def read(path: str) -> str | None:
        if texts and path in texts:
            return texts[path]
        from keng.source.text import Source, load

        source = load(path)
        if isinstance(source, Source):
            return source.document
        # The cells of a notebook that runs are no files.
        return "".join(linecache.getlines(path)) if path in linecache.cache else None

    return read


def end_of(path: str) -> str:
    """The last megabytes of a log. Raises OSError."""
    from keng.explain.reading.decoding import decoded

    with open(path, "rb") as file:
        file.seek(max(0, file.seek(0, 2) - ENOUGH))
        return decoded(file.read())


def end_of_stdin(through: BinaryIO | None = None) -> str:
    """The last megabytes of standard input. Each piece is written to `through` as it comes. On a terminal
    the first Ctrl-D ends it."""
    from keng.explain.reading.decoding import decoded

    source, kept = cast("BufferedReader", sys.stdin.buffer), bytearray()
    while piece := source.read1(PIECE):
        if through is not None:
            through.write(piece)
            through.flush()
        kept += piece
        if len(kept) > 2 * ENOUGH:
            del kept[:-ENOUGH]
    return decoded(bytes(kept[-ENOUGH:]))


def is_pipe(stream: TextIO | None) -> bool:
    """Whether another program writes the stream: no terminal, no file, not /dev/null."""
    try:
        mode = os.fstat(stream.fileno()).st_mode if stream is not None else 0
    except (OSError, ValueError):
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)


def write(command: str, file: str, text: str) -> None:
    """Raises Usage where that cannot be."""
    if skipped := save(file, text.encode()):
        raise refused(command, skipped.why, skipped.path)


def writable(command: str, file: str | None = None, folders: Iterable[str | None] = ()) -> None:
    """Before long work, the result of which could not be written. Raises Usage."""
    skipped = [unwritable(file)] if file else []
    skipped += [unmakable(folder or ".") for folder in folders if folder is not None]
    for each in filter(None, skipped):
        raise refused(command, each.why, each.path)
