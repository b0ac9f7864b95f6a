"""Comments that silence findings.

    loss.backward()  # keng: ignore[zero-grad-missing]: cleared by the caller
    # keng: ignore-file[tensor-move-discarded]
    x.cuda()  # noqa: tensor-move-discarded

A comment counts for the statement on whose lines it stands. `# keng: ignore` without names silences
all; a bare `# noqa` is meant for others.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import NamedTuple

from keng.model import Finding, Span
from keng.source.native import tokens as native
from keng.source.statements import Statements
from keng.source.text import Source

KENG = re.compile(r"(?:#|//|/\*)\s*keng:\s*ignore(-file)?(?:\[([^\]]*)\])?(?=$|[\s:,;])")
NOQA = re.compile(r"#\s*noqa:\s*([\w-]+(?:[\s,]+[\w-]+)*)", re.IGNORECASE)
OWN_WORDS = re.compile(rb"keng:\s*ignore")
OTHERS_WORDS = re.compile(rb"noqa:[ \t,]*(?:[a-z]+\d+[ \t,]+)*[a-z][\w-]*[a-z](?:-\d+)?(?![\w-])")
"""In small letters; codes as F401 are names of others."""
ALL = "all"
WHOLE_FILE = 0


def may_silence(data: bytes) -> bool:
    """Whether a text may hold comments that silence something."""
    found = OWN_WORDS.search(data) or OTHERS_WORDS.search(data.lower())
    return found is not None


class Comment(NamedTuple):
    """`column` counts characters from 1."""

    line: int
    column: int
    text: str


class Mark(NamedTuple):
    """A name that a comment silences, on a line or in the whole file; `says` is how it is written,
    `own` whether in keng's own way."""

    line: int
    name: str
    says: str
    own: bool
    where: Span


class Silenced:
    """The findings that the comments of one file silence."""

    def __init__(self, source: Source, tree: ast.Module) -> None:
        self._source, self._tree = source, tree
        self._used: set[tuple[int, str]] = set()

    def __contains__(self, finding: Finding) -> bool:
        where = finding.hit.where
        if where is None or not self._marks:
            return False
        named = {ALL, finding.pitfall, finding.group, *finding.aliases}
        lines = {WHOLE_FILE, *self._statements.lines(where.line)}
        met = {(m.line, m.name) for m in self._marks if m.line in lines and m.name in named}
        self._used |= met
        return bool(met)

    def unused(self, judged: Callable[[Mark], bool]) -> Iterator[Mark]:
        """Names that silenced nothing, of those that can be judged."""
        for mark in self._marks:
            if (mark.line, mark.name) not in self._used and judged(mark):
                yield mark

    @cached_property
    def _statements(self) -> Statements:
        return Statements(self._tree)

    def _comments(self) -> Iterator[Comment]:
        source = self._source
        if not source.path.lower().endswith(native.NATIVE_ENDS):
            yield from comments(source.text)
            return
        for start, _, text in native.comments(source.data):
            yield Comment(*source.place(start), text)

    @cached_property
    def _marks(self) -> list[Mark]:
        found = []
        data = self._source.data
        if may_silence(data):
            for comment in self._comments():
                line, column, text = comment
                where = Span(self._source.path, line, column, line, column + len(text))
                found += [Mark(*written, where) for written in _silencing(line, text)]
        return found


def comments(text: str) -> Iterator[Comment]:
    try:
        for token in tokenize.generate_tokens(io.StringIO(text, newline=None).readline):
            if token.type == tokenize.COMMENT:
                yield Comment(token.start[0], token.start[1] + 1, token.string)
    except (tokenize.TokenError, SyntaxError):
        return  # the parser, which took the file, is the judge of that


def _silencing(line: int, comment: str) -> Iterator[tuple[int, str, str, bool]]:
    """Line, name, how it is written, and whether in keng's own way."""
    for match in KENG.finditer(comment):
        word = f"ignore{match[1] or ''}"
        reach = WHOLE_FILE if match[1] else line
        if match[2] is None:
            yield reach, ALL, word, True
            continue
        for name in _names(match[2]):
            yield reach, name, f"{word}[{name}]", True
    for match in NOQA.finditer(comment):
        for name in _names(match[1]):
            yield line, name, f"noqa: {name}", False


def _names(text: str) -> list[str]:
    return re.split(r"[\s,]+", text.strip())
