"""C++ and CUDA as a row of tokens: names, texts and signs with their places. Comments are left out, raw
strings and line continuations understood; what is not closed ends with the file. Nothing is preprocessed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

NATIVE_ENDS = (".cpp", ".cc", ".cxx", ".cu", ".cuh", ".h", ".hpp")
SPEAKS_OF_TORCH = re.compile(rb"torch|ATen|\bTHC?\b|THC/|c10")
TOKEN = re.compile(
    rb"""
      (?P<comment>//(?:\\\r?\n|[^\n])*|/\*.*?(?:\*/|\Z))
    | (?P<raw>(?:u8|[uUL])?R"(?P<mark>[^()\\\s]{0,16})\(.*?(?:\)(?P=mark)"|\Z))
    | (?P<text>(?:u8|[uUL])?"(?:\\.|[^"\\\n])*"|(?:u8|[uUL])?'(?:\\.|[^'\\\n])+')
    | (?P<name>[A-Za-z_]\w*)
    | (?P<number>\.?\d(?:['.\w]|(?<=[eEpP])[+-])*)
    | (?P<sign>::|->|\S)
    """,
    re.VERBOSE | re.DOTALL,
)


class Token(NamedTuple):
    """`start` and `end` are offsets in bytes; `kind` is name, text, raw, number or sign."""

    kind: str
    text: str
    start: int
    end: int


def tokens(data: bytes, start: int = 0, end: int | None = None) -> Iterator[Token]:
    for match in TOKEN.finditer(data, start, len(data) if end is None else end):
        kind = match.lastgroup or ""
        kind = "raw" if kind == "mark" else kind
        if kind != "comment":
            yield Token(kind, match[0].decode("utf-8", "replace"), match.start(), match.end())


def comments(data: bytes) -> Iterator[tuple[int, int, str]]:
    """Start, end and text of each comment."""
    for match in TOKEN.finditer(data):
        if match["comment"] is not None:
            yield match.start(), match.end(), match[0].decode("utf-8", "replace")
