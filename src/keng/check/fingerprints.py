"""Finger-prints of findings, which survive that lines move.

A print is made of the pitfall, the enclosing function's name, the statement without its comments and
white space, and how many of its like stand before it in the file.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import groupby

from keng.model import Finding
from keng.source import Code
from keng.source.statements import Statements
from keng.source.suppressions import comments

DIGITS = 16


def prints_of(findings: Iterable[Finding], code: Code) -> list[str]:
    """One for each finding of a file, which come in the order of their places."""
    statements = Statements(code.tree.root)
    columns = {comment.line: comment.column for comment in comments(code.text)}
    met: Counter[tuple[str, str, str]] = Counter()
    prints = []
    for finding in findings:
        line = finding.hit.where.line if finding.hit.where else 1
        statement = _text(code, statements.lines(line), columns)
        key = (finding.pitfall, statements.function(line), statement)
        prints.append(_digest(*key, str(met[key])))
        met[key] += 1
    return prints


def prints_in(findings: Iterable[Finding], codes: Mapping[str, Code]) -> list[str]:
    """The same over many files, by path."""
    prints: list[str] = []
    for path, found in groupby(findings, key=lambda f: f.hit.where.path if f.hit.where else ""):
        if path in codes:
            prints += prints_of(found, codes[path])
        else:
            prints += [_digest(finding.pitfall, finding.hit.says) for finding in found]
    return prints


def _text(code: Code, lines: range, columns: dict[int, int]) -> str:
    parts = []
    for number in lines:
        text = code.source.line(number)
        comment = columns.get(number)
        parts.append(text if comment is None else text[: comment - 1])
    return "".join("".join(parts).split())


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:DIGITS]
