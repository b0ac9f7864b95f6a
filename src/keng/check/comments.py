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
from collections.abc import Iterator
from functools import cached_property

from keng.model import Finding
from keng.source import Code

KENG = re.compile(r"#\s*keng:\s*ignore(-file)?(?:\[([^\]]*)\])?(?=$|[\s:,;])")
NOQA = re.compile(r"#\s*noqa:\s*([\w-]+(?:[\s,]+[\w-]+)*)", re.IGNORECASE)
WORDS = re.compile(rb"keng:\s*ignore|noqa:", re.IGNORECASE)
ALL = "all"


class Silenced:
    """The findings that the comments of one file silence."""

    def __init__(self, code: Code) -> None:
        self._code = code

    def __contains__(self, finding: Finding) -> bool:
        where = finding.hit.where
        if where is None or not self._names_by_line:
            return False
        named = {ALL, finding.pitfall, finding.group}
        lines = [0, *self._statement(where.line)]
        return any(named & self._names_by_line.get(line, set()) for line in lines)

    @cached_property
    def _names_by_line(self) -> dict[int, set[str]]:
        """The names that are silenced on each line; line 0 stands for the whole file."""
        found: dict[int, set[str]] = {}
        if WORDS.search(self._code.data):
            for line, comment in _comments(self._code.text):
                for whole_file, names in _silencing(comment):
                    found.setdefault(0 if whole_file else line, set()).update(names)
        return found

    def _statement(self, line: int) -> range:
        """The lines of the smallest statement on a line; of a block only those of its head."""
        around = [
            lines
            for node in ast.walk(self._code.tree)
            if isinstance(node, ast.stmt) and line in (lines := _lines_of(node))
        ]
        return min(around, key=len, default=range(line, line + 1))


def _lines_of(statement: ast.stmt) -> range:
    first = min([statement.lineno, *(d.lineno for d in getattr(statement, "decorator_list", []))])
    last = statement.end_lineno or statement.lineno
    cases = [case.pattern for case in getattr(statement, "cases", ())]
    if body := getattr(statement, "body", cases):
        last = max(statement.lineno, body[0].lineno - 1)
    return range(first, last + 1)


def _comments(text: str) -> Iterator[tuple[int, str]]:
    try:
        for token in tokenize.generate_tokens(io.StringIO(text, newline=None).readline):
            if token.type == tokenize.COMMENT:
                yield token.start[0], token.string
    except (tokenize.TokenError, SyntaxError):
        return  # the parser, which took the file, is the judge of that


def _silencing(comment: str) -> Iterator[tuple[bool, set[str]]]:
    for match in KENG.finditer(comment):
        yield bool(match[1]), {ALL} if match[2] is None else _names(match[2])
    for match in NOQA.finditer(comment):
        yield False, _names(match[1])


def _names(text: str) -> set[str]:
    return set(re.split(r"[\s,]+", text.strip()))
