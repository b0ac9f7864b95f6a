"""How the outcome of `keng check` is told."""

from __future__ import annotations

import argparse
import io
import json
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TextIO

from keng import check, pitfalls
from keng._util.disk import save
from keng._util.version import VERSION
from keng.cli.commands import refused
from keng.cli.files import reader
from keng.model import Finding, Skipped
from keng.pitfalls.page import page_of
from keng.report import diffs, findings
from keng.report.formats import by_name, joining
from keng.report.result import Outcome
from keng.report.screen import Line, Piece, Screen
from keng.report.translation import findings_in, notices_in, skipped_in
from keng.report.words import Words

TEXTS = ("full", "concise")
"""The formats that people read; what is no finding goes to standard error there."""
CELLS = ("json", "json-lines", "junit", "pylint")
"""The formats that say the cell of a notebook; the others mark lines of files."""
FORMATS = (*TEXTS, *by_name.FORMATS)
MARKS = {"json": joining.mark_json, "sarif": joining.mark_sarif}
"""The formats that `keng merge` joins."""


class Telling:
    """Findings go to `stream` or to the file that the options name; the rest to standard error."""

    def __init__(self, options: argparse.Namespace, stream: TextIO | None = None) -> None:
        self._options = options
        self._words = Words(options.lang)
        self._stream = io.StringIO() if options.output_file else stream or sys.stdout
        self._screen = Screen(self._stream, options.color)

    def result(self, result: check.Result, skipped: Sequence[Skipped]) -> None:
        if self._options.statistics:
            self._statistics(result, skipped)
        elif self._options.output_format in TEXTS:
            self._text(result, skipped)
        else:
            outcome = self._outcome(result, skipped)
            self._stream.write(
                self._marked(by_name.FORMATS[self._options.output_format](outcome), result)
            )
        self._save()

    def _marked(self, text: str, result: check.Result) -> str:
        """With the part of the files that it is of, and how many were checked, where a format has a place."""
        mark = MARKS.get(self._options.output_format)
        shard = self._options.shard
        if mark is None or shard is None:
            return text
        return mark(text, {**shard.record("check"), "files": result.files})

    def skipped(self, skipped: Iterable[Skipped]) -> None:
        told = skipped_in(self._words.lang, skipped)
        self._aside(findings.skipped_line(each, self._words) for each in told)

    def diff(self, changes: Iterable[check.Change]) -> None:
        for change in changes:
            self._screen.show(diffs.of_change(change.path, change.before, change.after))
        self._save()

    def not_fixed(self, mended: check.Mended) -> None:
        """How many fixes `--diff` leaves out, as they may change what the program does."""
        left = sum(check.applicable(each, unsafe=True) for each in mended.result.findings)
        if left and not self._options.unsafe_fixes:
            self._remark([[Piece(self._words("unsafe_left", left))]])

    def fixed(self, mended: check.Mended, key: str) -> None:
        self.count(key, len(mended.fixed), len(mended.changes))
        if self._options.show_fixes:
            self._aside(findings.fixes(mended.fixed))

    def count(self, key: str, n: int, files: int) -> None:
        if n and self._options.output_format in TEXTS:
            text = self._words(key, n, files=self._words("files", files))
            self._remark([[Piece(text, "name")]])

    def written(self, n: int, file: str) -> None:
        self._remark([[Piece(self._words("baseline", n, file=file), "name")]])

    def _text(self, result: check.Result, skipped: Iterable[Skipped]) -> None:
        read = reader(check.texts(result.sources))
        placed = check.placed(result.findings, result.sources, cells=True)
        for finding in findings_in(self._options.lang, placed):
            if self._options.output_format == "concise":
                self._screen.show(findings.concise(finding, self._words))
            else:
                width = self._screen.width
                self._screen.show([*findings.full(finding, read, self._words, width), []])
        self._end(result, skipped)
        if not self._options.quiet:
            self._fixable(result.findings)

    def _statistics(self, result: check.Result, skipped: Sequence[Skipped]) -> None:
        if self._options.output_format == "json":
            often = Counter(finding.pitfall for finding in result.findings)
            rows = [{"pitfall": name, "count": n} for name, n in often.most_common()]
            self._stream.write(json.dumps(rows, indent=2) + "\n")
            self.skipped(skipped)
            return
        self._screen.show(findings.statistics(result.findings, self._words))
        self._end(result, skipped)

    def _end(self, result: check.Result, skipped: Iterable[Skipped]) -> None:
        self.skipped(skipped)
        if self._options.quiet:
            return
        notes = check.noted(result.notes, result.sources, cells=True)
        notes = notices_in(self._words.lang, notes)
        self._aside(findings.note_line(note, self._words) for note in notes)
        self._screen.show(
            findings.summary(result.findings, result.files, self._words, result.foreign)
        )
        for key, n in (("known", result.known), ("hints_hidden", len(result.hints))):
            if n:
                self._screen.show([[Piece(self._words(key, n), "dim")]])

    def _fixable(self, found: Iterable[Finding]) -> None:
        """How many fixes are there to be made, and the command that makes them."""
        if self._options.fix and self._options.unsafe_fixes:
            return
        found = list(found)
        safe = sum(check.applicable(finding, unsafe=False) for finding in found)
        unsafe = sum(check.applicable(finding, unsafe=True) for finding in found) - safe
        for key, n in (("fixable", safe), ("unsafe_fixable", unsafe)):
            if n:
                self._screen.show([[Piece(self._words(key, n))]])

    def _outcome(self, result: check.Result, skipped: Sequence[Skipped]) -> Outcome:
        found, sources = result.findings, result.sources
        names = {finding.pitfall for finding in found}
        cells = self._options.output_format in CELLS
        return Outcome(
            check.placed(found, sources, cells),
            skipped,
            check.noted(result.notes, sources, cells),
            check.prints_in(found, result.codes),
            {name: page_of(pitfalls.pitfall(name), self._options.lang) for name in names},
            reader(check.texts(sources)),
            VERSION,
            len(result.hints),
        )

    def _aside(self, lines: Iterable[Line]) -> None:
        Screen(sys.stderr, self._options.color).show(lines)

    def _remark(self, lines: Iterable[Line]) -> None:
        if not self._options.quiet:
            self._aside(lines)

    def _save(self) -> None:
        if isinstance(self._stream, io.StringIO) and self._options.output_file:
            file = self._options.output_file
            text = self._stream.getvalue()
            if failure := save(file, text.encode("utf-8", "backslashreplace")):
                raise refused("check", failure.why, file)
