"""Lines of styled pieces, written with colours where they are wanted, and plainly elsewhere."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Iterable, Iterator

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TextIO

STYLES = {
    "error": "bold red",
    "warning": "bold yellow",
    "hint": "bold cyan",
    "name": "bold",
    "place": "cyan",
    "dim": "dim",
    "caret": "red",
    "added": "green",
    "removed": "red",
    "command": "magenta",
    "code": "cyan",
}
WIDEST = 100
UNSEEN = "[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"
"""Characters that move the cursor, change colours or turn the direction of a text."""


class Piece:
    __slots__ = ("style", "text")

    def __init__(self, text: str, style: str = "") -> None:
        self.text, self.style = text, style


Line = list[Piece]


class Screen:
    """Where lines go: nowhere, where a process was begun without the stream. Colours are rich's, which
    is imported only for them."""

    def __init__(self, stream: TextIO | None, color: str = "auto") -> None:
        self.stream = stream = stream or io.StringIO()
        self.width = width_of_terminal(stream)
        self._console = _console(stream, self.width) if wants_colours(stream, color) else None

    def show(self, lines: Iterable[Line]) -> None:
        if self._console is not None:
            self._show_coloured(list(lines))
            return
        for line in lines:
            self.stream.write(plainly("".join(piece.text for piece in line)) + "\n")

    def _show_coloured(self, lines: list[Line]) -> None:
        """All at once: a notebook makes an output of its own of each writing."""
        from rich.text import Text

        if lines:
            rows = (Text.assemble(*map(_coloured, line)) for line in lines)
            self._console.print(Text("\n").join(rows), soft_wrap=True)  # type: ignore[attr-defined]


def _coloured(piece: Piece) -> Any:
    text = plainly(piece.text)
    if piece.style != "python":
        return text, STYLES.get(piece.style, "")
    from rich.syntax import Syntax

    program = Syntax("", "python", theme="ansi_dark").highlight(text)
    program.rstrip()
    return program


def plainly(text: str) -> str:
    """A text, as of a file that nobody knows, that does nothing to a terminal but stand on it."""
    if text.isprintable():
        return text
    ends = text[len(text.rstrip("\r")) :]  # of a line of a file of Windows
    shown = re.sub(UNSEEN, lambda c: c[0].encode("unicode_escape").decode(), text.rstrip("\r"))
    return shown + ends


def _console(stream: TextIO, width: int) -> object:
    from rich.console import Console

    # In a notebook rich would make a frame of its own for each line, next to the stream.
    return Console(
        file=stream, force_terminal=True, force_jupyter=False, width=width, highlight=False
    )


def wants_colours(stream: TextIO, color: str) -> bool:
    if color != "auto":
        return color == "always"
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return bool(os.environ.get("FORCE_COLOR")) or stream.isatty()


def width_of_terminal(stream: TextIO | None) -> int:
    """Columns to write in: those of the terminal, or 80. A stream that was closed is None."""
    given = os.environ.get("COLUMNS", "")
    if given.isdecimal() and int(given) > 0:
        return max(40, min(int(given), WIDEST))
    if stream is None:
        return 80
    try:
        return max(40, min(os.get_terminal_size(stream.fileno()).columns, WIDEST))
    except (OSError, ValueError):
        return 80


def columns_of(text: str) -> int:
    """How many columns a text takes: Chinese characters take two, accents on their own none."""
    if text.isascii():
        return len(text)
    import unicodedata  # a large table

    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )


def wrapped(text: str, width: int) -> list[str]:
    """A paragraph in lines. Breaks at spaces and after Chinese characters."""
    lines, line = [], ""
    for part in _unbroken(re.sub(r"\n\s*", " ", text), width):
        piece = " " if part.isspace() else part
        if columns_of(line + piece) > width and line and piece not in "，。：；、）」！？":
            lines.append(line.rstrip())
            line = ""
        line += piece if line or piece != " " else ""
    return [*lines, line.rstrip()] if line.strip() or not lines else lines


def _unbroken(text: str, width: int) -> Iterator[str]:
    """What stays on one line: words, and code in backticks that is short, since it is there to be copied."""
    # The pattern with thousands of characters takes four milliseconds to compile.
    words = r"\s+|(?:`[^`]*`|\S)+"
    if not text.isascii():
        words = r"\s+|[\u2e80-\uffef]|(?:`[^`]*`|[^\s\u2e80-\uffef])+"
    for part in re.findall(words, text):
        yield from re.findall(r"\s+|\S+", part) if len(part) > width // 2 else [part]


def paragraph(text: str, width: int, first: Line, style: str = "") -> list[Line]:
    """A wrapped text after a head; the lines below are set in."""
    head = sum(columns_of(piece.text) for piece in first)
    indent = min(head, 4)
    lines = wrapped("\0" * max(0, head - indent) + text, width - indent)
    body = [line.lstrip("\0") for line in lines]
    return [[*first, Piece(body[0], style)], *([Piece(" " * indent + b, style)] for b in body[1:])]


def advice(text: str, width: int, label: Line) -> list[Line]:
    """What to do, after its label. Each further paragraph or item of a list begins a line below."""
    blocks = re.split(r"\n\s*\n|\n(?=- )", text.strip())
    if blocks[0].startswith("- "):
        *before, last = label
        lines = [[*before, Piece(last.text.rstrip(), last.style)]]
    else:
        lines = paragraph(blocks.pop(0), width, label)
    for block in blocks:
        item = block.removeprefix("- ")
        head = Piece("    " if item == block else "    - ")
        lines += paragraph(item, width, [head])
    return lines
