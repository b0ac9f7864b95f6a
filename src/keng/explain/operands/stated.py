"""Shapes that a text states: printed ones, `x.shape is (1, 2)`, `input shape: torch.Size([4, 3])`."""

from __future__ import annotations

import re
from typing import NamedTuple

MOST_READ = 4_000
MOST_SHAPES = 12
SIZES = r"(?:torch\.Size\()?[\[(] ?(?P<sizes>\d{1,9}(?:, ?\d{1,9}){0,8}),? ?[\])](?:(?<=\])\))?"
STATED = re.compile(
    r"(?:(?P<name>[A-Za-z_][\w.]{0,60}?)`?'?s?[ .](?:shape|size|dims?|dimensions?)(?:\(\))?`?"
    rf"|(?P<bare>shape|size) of (?:the )?`?(?P<of>[A-Za-z_][\w.]{{0,60}})`?)"
    rf"(?: (?:is|are|was|of|=|:|->|=>))?[ :=]{{0,4}}(?:torch\.Size)?`?{SIZES}",
    re.IGNORECASE,
)
WORDS = frozenset(
    {"the", "a", "its", "with", "of", "in", "and", "got", "has", "have", "is", "tensor"}
)


class Stated(NamedTuple):
    """A shape and the name that the text gives it."""

    name: str
    shape: tuple[int, ...]


def shapes_stated(text: str) -> list[Stated]:
    found = []
    for each in STATED.finditer(text[-MOST_READ:]):
        name = each["name"] or each["of"] or ""
        sizes = tuple(int(size) for size in each["sizes"].split(","))
        found.append(Stated("" if name.lower() in WORDS else name, sizes))
    return found[:MOST_SHAPES]
