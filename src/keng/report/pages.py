"""The page of a pitfall, for the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from keng.model import Pitfall
from keng.report.screen import Line, Piece, advice, paragraph
from keng.report.words import Words


class Block(Protocol):
    """A program or message of a page."""

    @property
    def label(self) -> str: ...
    @property
    def note(self) -> str: ...
    @property
    def text(self) -> str: ...


class Prose(Protocol):
    """What a page says: `keng.pitfalls.page.Page` is one."""

    @property
    def title(self) -> str: ...
    @property
    def why(self) -> str: ...
    @property
    def cure(self) -> str: ...
    @property
    def sources(self) -> str: ...
    @property
    def blocks(self) -> Sequence[Block]: ...


PROGRAMS = ("Bad", "Good")


def page(
    pitfall: Pitfall,
    prose: Prose,
    recipes: Sequence[str],
    words: Words,
    width: int,
    every: bool = False,
) -> Iterator[Line]:
    """Why, what to do, the first bad and the first good program; with `every`, the other programs, the
    recorded messages and the sources too. `recipes` are the names of those that avoid it."""
    yield [
        Piece(pitfall.name, "name"),
        Piece(f" ({words(pitfall.severity)}, {pitfall.group})", pitfall.severity),
    ]
    yield [Piece(f"{words('met')}{words.colon}{', '.join(pitfall.surfaces)}", "dim")]
    yield []
    for text in (prose.title, *prose.why.split("\n\n")):
        yield from paragraph(text, width, [], "name" if text == prose.title else "")
        yield []
    yield from advice(prose.cure, width, [Piece(words("cure") + words.colon, "name")])
    if recipes:
        head = Piece(words("recipes") + words.colon, "name")
        yield from paragraph(words.comma.join(recipes), width, [head], "command")
    blocks = prose.blocks if every else [*_one_of_each(prose.blocks)]
    for block in blocks:
        yield []
        note = f" ({block.note})" if block.note else ""
        yield from paragraph(f"{words(block.label)}{note}{words.colon}".rstrip(), width, [], "name")
        yield []
        style = "python" if block.label in PROGRAMS else "code"
        yield from ([Piece(f"    {line}".rstrip(), style)] for line in block.text.splitlines())
    if prose.sources and every:
        yield []
        yield from paragraph(prose.sources, width, [Piece(words("sources") + words.colon, "dim")])
    if not every and (prose.sources or len(blocks) < len(prose.blocks)):
        yield []
        head = Piece(words("whole_page") + words.colon, "dim")
        yield [head, Piece(f"keng explain {pitfall.name} --all", "command")]


def _one_of_each(blocks: Sequence[Block]) -> Iterator[Block]:
    """The first bad and the first good program."""
    for label in PROGRAMS:
        yield from [block for block in blocks if block.label == label][:1]
