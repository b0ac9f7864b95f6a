"""Finds the errors of a log of any size: reads it in pieces, and of each distinct error keeps the first
place, with the lines above it, and a count."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import BinaryIO

from keng.explain.reading.decoding import decoded
from keng.explain.reading.interleaved_ranks import label_in

PIECE = 4 * 1024 * 1024
ABOVE, BELOW = 48 * 1024, 8 * 1024
"""Bytes around a line that reports an error: its traceback, and what torch adds to its message."""

MOST = 100
"""Distinct errors; a log with more is of a different type."""

WORDS = (
    *(b"Error", b"Exception", b"Warning", b"Interrupt", b"Unsupported:", b"Watchdog caught"),
    *(b"Assertion `", b"Killed", b"us error", b"egmentation fault", b"kernel appears", b"oom-kill"),
)
"""A line that reports an error holds one of these. Looked for one after the other: faster by far than a
regular expression of them all."""

RAISED = rb"[a-z](?:Error|Exception|Warning|Interrupt)\b|Unsupported:|Watchdog caught"
SAYS = re.compile(
    RAISED + rb"|Assertion `|\bKilled\b|[Bb]us error|[Ss]egmentation fault|kernel appears|oom-kill"
)
TRACED = re.compile(RAISED)
"""What a traceback may stand above; the other words are the system's, and stand alone."""

NEXT = re.compile(RAISED + rb"|Traceback \(most recent call last\)")
VARIES = re.compile(rb"\d+|0x[0-9a-f]+")


@dataclass(slots=True)
class Told:
    """An error as a log tells it: the text around the first place, its line there from 1, and how
    often it comes."""

    text: str
    line: int
    times: int = 1


def told_in(file: BinaryIO, progress: Callable[[int], None]) -> list[Told]:
    """Each distinct error of a log, in the order of their first places; lines that differ in numbers
    alone are one. `progress` gets the number of bytes that are done."""
    found: dict[bytes, Told] = {}
    for piece, fresh, until, lines in _pieces(file, progress):
        for begin, end in _lines_that_tell(piece, fresh, until):
            key = VARIES.sub(b"0", piece[begin : min(end, begin + 1000)].strip())
            if key in found:
                found[key].times += 1
            elif len(found) < MOST:
                line = lines + piece.count(b"\n", 0, begin) + 1
                found[key] = Told(_around(piece, begin, end), line)
    return list(found.values())


def _pieces(
    file: BinaryIO, progress: Callable[[int], None]
) -> Iterator[tuple[bytes, int, int, int]]:
    """Pieces that overlap, so that each error is seen with what is around it: the bytes, where
    those that were not read yet begin and end, and how many lines lie before the piece."""
    kept, fresh, lines, done = b"", 0, 0, 0
    while True:
        new = file.read(PIECE)
        piece = kept + new
        until = piece.rfind(b"\n", 0, max(fresh, len(piece) - BELOW)) + 1 if new else len(piece)
        until = max(until, fresh)
        yield piece, fresh, until, lines
        done += len(new)
        progress(done)
        if not new:
            return
        cut = max(0, until - ABOVE, len(piece) - 4 * PIECE)
        lines += piece.count(b"\n", 0, cut)
        kept, fresh = piece[cut:], max(0, until - cut)


def _lines_that_tell(piece: bytes, fresh: int, until: int) -> Iterator[tuple[int, int]]:
    """Where they begin and end."""
    end = -1
    for at in sorted(at for word in WORDS for at in _places(word, piece, fresh, until)):
        if at < end:
            continue
        begin, end = piece.rfind(b"\n", 0, at) + 1, piece.find(b"\n", at)
        end = len(piece) if end < 0 else end
        if SAYS.search(piece, begin, end) is not None:
            yield begin, end


def _places(word: bytes, piece: bytes, at: int, until: int) -> Iterator[int]:
    while (at := piece.find(word, at, until)) >= 0:
        yield at
        at += len(word)


def _around(piece: bytes, begin: int, end: int) -> str:
    """The line, its traceback and the rest of its message; of several ranks' lines those of its own."""
    if TRACED.search(piece, begin, end) is None:
        return decoded(piece[begin:end])
    after = NEXT.search(piece, end, end + BELOW)
    below = piece.rfind(b"\n", 0, after.start()) if after else end + BELOW
    text = decoded(piece[max(0, begin - ABOVE) : below])
    label = label_in(text)
    own = label.match(decoded(piece[begin:end]))
    if own is None:
        return text
    return "\n".join(
        line
        for line in text.split("\n")
        if not (at := label.match(line)) or at["rank"] == own["rank"]
    )
