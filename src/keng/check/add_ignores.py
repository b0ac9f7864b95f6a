"""Writes the comments that silence findings: `# keng: ignore[name]` at the end of their lines."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from keng._util.texts import sentence
from keng.check.engine import Result
from keng.check.fixes import Change
from keng.model import Finding, Skipped
from keng.source import Code
from keng.source.statements import Statements

LINE = re.compile(r"([^\r\n]*)(\r\n|\r|\n|$)")
NAMED = re.compile(r"#\s*keng:\s*ignore\[([^\]]*)(?=\])")


class Ignored(NamedTuple):
    changes: tuple[Change, ...]
    findings: tuple[Finding, ...]
    skipped: tuple[Skipped, ...]


def ignore(result: Result) -> Ignored:
    """What is to be written to silence all that was found; nothing is written here."""
    changes, done, skipped = [], [], []
    for path, code in result.codes.items():
        text = _Text(code)
        for finding in result.findings:
            where = finding.hit.where
            if where is None or where.path != path:
                continue
            if text.silence(finding.pitfall, where.line):
                done.append(finding)
            else:
                why = sentence("no_room_for_comment", line=where.line, pitfall=finding.pitfall)
                skipped.append(Skipped(path, why))
        if text.now != code.text:
            source, after = code.source, code.source.put_back(text.now)
            changes.append(Change(path, source.document, after, code.tree.encoding))
    return Ignored(tuple(changes), tuple(done), tuple(skipped))


class _Text:
    """A file whose lines get comments; it stays the program that it was."""

    def __init__(self, code: Code) -> None:
        self.code = code
        self.added: set[tuple[int, str]] = set()
        self.lines = [match.group() for match in LINE.finditer(code.text)]
        self.statements = Statements(code.tree.root)
        self.program = ast.dump(code.tree.root)

    @property
    def now(self) -> str:
        return "".join(self.lines)

    def silence(self, name: str, line: int) -> bool:
        around = self.statements.lines(line)
        if any((each, name) in self.added for each in around):
            return True
        return any(self._add(name, each) for each in dict.fromkeys([line, *reversed(around)]))

    def _add(self, name: str, line: int) -> bool:
        """Whether a line could take the name: one that ends in a text or a backslash cannot."""
        before = self.lines[line - 1]
        for after in _marked(before, name):
            self.lines[line - 1] = after
            if self._is_the_same_program():
                self.added.add((line, name))
                return True
        self.lines[line - 1] = before
        return False

    def _is_the_same_program(self) -> bool:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return ast.dump(ast.parse(self.now)) == self.program
        except (SyntaxError, ValueError):
            return False


def _marked(line: str, name: str) -> Iterator[str]:
    """A line with the name in the comment that it has, or in one of its own."""
    match = LINE.match(line)
    assert match is not None, "every text has a first line"
    text, newline = match.groups()
    if (there := NAMED.search(text)) is not None:
        names = [*(n for n in re.split(r"[\s,]+", there[1]) if n), name]
        yield f"{text[: there.start(1)]}{_listed(names)}{text[there.end(1) :]}{newline}"
    yield f"{text.rstrip()}  # keng: ignore[{name}]{newline}"


def _listed(names: Iterable[str]) -> str:
    return ", ".join(sorted(set(names)))
