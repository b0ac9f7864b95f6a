"""Texts of files for the report, the standard input, and places to be written to."""

from __future__ import annotations

import linecache
import sys
from collections.abc import Iterable, Mapping
from functools import cache

from keng._util.disk import save, unmakable, unwritable
from keng.cli.commands import Usage
from keng.report.frames import Reader

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


def end_of_stdin() -> str:
    from keng.explain.reading.decoding import decoded

    kept = b""
    while piece := sys.stdin.buffer.read(ENOUGH):
        kept = (kept + piece)[-ENOUGH:]
    return decoded(kept)


def write(command: str, file: str, text: str) -> None:
    """Raises Usage where that cannot be."""
    if blind := save(file, text.encode()):
        raise Usage(f"{command}: {blind.path}: {blind.why}")


def writable(command: str, file: str | None = None, folders: Iterable[str | None] = ()) -> None:
    """Before long work, the result of which could not be written. Raises Usage."""
    blind = [unwritable(file)] if file else []
    blind += [unmakable(folder or ".") for folder in folders if folder is not None]
    for each in filter(None, blind):
        raise Usage(f"{command}: {each.path}: {each.why}")
