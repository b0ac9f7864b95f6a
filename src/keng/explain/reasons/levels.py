"""The levels of a traceback, the same for a live exception and for a pasted text."""

from __future__ import annotations

import ast
import os
import re
import sys
import sysconfig
from collections.abc import Iterable
from functools import cached_property
from itertools import islice
from types import FrameType, TracebackType
from typing import NamedTuple

from keng.explain.frame import Frame
from keng.explain.ownership.paths import INSIDE, is_user
from keng.explain.reasons.excerpts import excerpt_of
from keng.explain.reasons.source import FUNCTIONS, UNPARSED, Function, Source, Sources, Tree
from keng.model import Span

MOST_LEVELS = 200
CALLED = re.compile(r"\b(\w{1,80})\(")
STANDARD = re.compile(r"[/\\]lib(?:64)?[/\\]python3\.\d{1,2}[/\\](?P<inside>[\w/\\]+\.py)$")


class Position(NamedTuple):
    """The extent of an expression in a file, columns in bytes from 0, as `ast` counts."""

    line: int
    end_line: int
    column: int
    end_column: int


class Level:
    """One level. `live` is the frame of a live exception; `where` is the failing expression, known from
    Python 3.11 on; `text` is the line as a text shows it, and `called` what the line above calls."""

    def __init__(
        self,
        frame: Frame,
        sources: Sources,
        live: FrameType | None = None,
        where: Position | None = None,
        called: frozenset[str] = frozenset(),
    ) -> None:
        self.path = frame.path
        self.line = frame.line
        self.name = frame.function
        self.text = frame.text
        self.user = frame.user
        self.frame = frame
        self.live = live
        self.where = where
        self._sources = sources
        self._called = called

    @cached_property
    def source(self) -> Source | None:
        """The file, if it is here and says what the text shows."""
        if self.live is not None:
            return self._sources.read(self.path)
        return self._agreeing() or self._excerpt

    @cached_property
    def _excerpt(self) -> Source | None:
        """The lines that the text shows of a library's file, where they parse."""
        frame = self.frame
        return None if frame.user else excerpt_of(frame)

    @property
    def is_excerpt(self) -> bool:
        """Whether the source is what the text shows, in place of a file."""
        return self.live is None and self.source is not None and self.source is self._excerpt

    def _agreeing(self) -> Source | None:
        path = installed(self.path)
        source = self._sources.read(path)
        if source is None:
            return None
        if self.text and source.line(self.line) != self.text:
            moved = self._moved(source)
            if moved is None:
                return None
            self.line = moved
        self.path = path
        return source

    def _moved(self, source: Source) -> int | None:
        """The line of another version of the file that says the same in a function of that name."""
        same = [n for n, line in enumerate(source.lines, 1) if line.strip() == self.text]
        if len(self.text) < 12 or len(same) > 50:
            return None
        inside = [n for n in same if any(h.name == self.name for h in source.headers(n)[:1])]
        if len(inside) > 1:
            inside = [n for n in inside if source.owner(n) in self._called]
        return inside[0] if len(inside) == 1 else None

    @cached_property
    def tree(self) -> Tree | None:
        return self.source.tree(self.line) if self.source is not None else None

    @cached_property
    def function(self) -> Function | None:
        """The function whose frame it is."""
        nodes = self.tree.at(self.line) if self.tree is not None else []
        found = [node for node in nodes if isinstance(node, FUNCTIONS)]
        named = [node for node in found if getattr(node, "name", "<lambda>") == self.name]
        fitting = named or found
        return fitting[-1] if fitting and self.name != "<module>" else None

    @property
    def owner(self) -> str:
        """The class whose method it is; of a live frame that of the file, not that of the object."""
        function = self.function
        if function is None or self.source is None:
            return ""
        kinds = self.source.headers(function.lineno)
        return kinds[1].name if len(kinds) > 1 and kinds[1].kind == "class" else ""

    @property
    def qualified(self) -> str:
        """`Gate.forward`, or `Gate` in its constructor."""
        if self.owner and self.name in ("__init__", "__post_init__", "__new__"):
            return self.owner
        return f"{self.owner}.{self.name}" if self.owner else self.name

    @property
    def place(self) -> Span:
        return Span(self.path, self.line)

    def nodes(self) -> list[ast.AST]:
        """What is on the line: of the file, or of the one line that the text shows."""
        if self.tree is not None:
            return self.tree.at(self.line)
        for text in _completed(self.text):
            try:
                return list(ast.walk(ast.parse(text)))
            except UNPARSED:
                continue
        return []

    def failing(self) -> ast.AST | None:
        """The expression that failed, where the interpreter knows its position."""
        if self.where is None or self.tree is None:
            return None
        found = [node for node in self.nodes() if _position(node) == self.where]
        return found[-1] if found else None  # a statement may be one expression

    def __repr__(self) -> str:
        return f"Level({self.path}:{self.line} in {self.name})"


def _completed(line: str) -> tuple[str, ...]:
    """A line of a file as a statement of its own: the head of a block with a body."""
    text = line.strip()
    if not text.endswith(":"):
        return (text, f"{text})", f"{text}]") if len(text) < 500 else (text,)
    return f"{text} pass", f"{text.removeprefix('el')} pass", text.rstrip(":")


def _position(node: ast.AST) -> Position | None:
    if not isinstance(node, ast.expr | ast.stmt):
        return None
    return Position(
        node.lineno,
        node.end_lineno or node.lineno,
        node.col_offset,
        node.end_col_offset or 0,
    )


def of_traceback(traceback: TracebackType | None, sources: Sources) -> list[Level]:
    """The levels of a live exception, outermost first; the ends of a very deep one."""
    found: list[Level] = []
    while traceback is not None:
        frame, code = traceback.tb_frame, traceback.tb_frame.f_code
        user = is_user(code.co_filename)
        told = Frame(code.co_filename, traceback.tb_lineno, code.co_name, "", user)
        found.append(Level(told, sources, frame, _where(traceback)))
        traceback = traceback.tb_next
        if len(found) > 2 * MOST_LEVELS:
            del found[MOST_LEVELS // 2 : -MOST_LEVELS // 2]
    return found[-MOST_LEVELS:]


def _where(traceback: TracebackType) -> Position | None:
    code = traceback.tb_frame.f_code
    if sys.version_info < (3, 11) or traceback.tb_lasti < 0:
        return None
    at = next(islice(code.co_positions(), traceback.tb_lasti // 2, None), None)
    if at is None or None in at:
        return None
    line, end_line, column, end_column = at
    return Position(line or 0, end_line or 0, column or 0, end_column or 0)


def of_frames(frames: Iterable[Frame], sources: Sources) -> list[Level]:
    """The levels of a pasted traceback."""
    found, called = [], frozenset[str]()
    for frame in frames:
        found.append(Level(frame, sources, called=called))
        called = frozenset(CALLED.findall(frame.text))
    return found[-MOST_LEVELS:]


def installed(path: str) -> str:
    """The file of the same package in the environment that keng runs in; else the path as it is."""
    inside, roots = INSIDE.search(path), sys.path
    if inside is None:
        inside, roots = STANDARD.search(path), [sysconfig.get_paths()["stdlib"]]
    if inside is None:
        return os.path.expanduser(path)
    parts = re.split(r"[/\\]", inside["inside"])
    found = (os.path.join(root, *parts) for root in roots if root and ".." not in parts)
    return next((file for file in found if os.path.isfile(file)), path)
