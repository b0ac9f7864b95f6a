"""One finding, one screen."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

from keng.model import Blind, Finding, Fix, Severity, Span, Value
from keng.report import diffs
from keng.report.frames import Reader, frame
from keng.report.screen import Line, Piece, paragraph
from keng.report.words import Words

# Lines of each part, so that a finding fits the 24 lines of the smallest screen.
TALLEST_SAYS = 4
TALLEST_EVIDENCE = 3
TALLEST_TITLE = 2
TALLEST_DIFF = 7
HERE = os.path.abspath(".")
"""Where the command was given; a program that is run may go elsewhere."""
SEVERITIES: tuple[Severity, ...] = ("error", "warning", "hint")


def full(finding: Finding, read: Reader, words: Words, width: int) -> list[Line]:
    """What is wrong, where, the evidence, the fix as a diff, and where to read more."""
    hit = finding.hit
    head = [
        Piece(words(finding.severity), finding.severity),
        Piece(" "),
        Piece(finding.pitfall, "name"),
        _doubt(finding, words),
        Piece(words.colon),
    ]
    lines = paragraph(hit.says, width, head)[:TALLEST_SAYS]
    if hit.where is not None:
        lines.append([Piece("  --> "), Piece(place(hit.where), "place")])
        lines += frame(hit.where, read, width)
    if hit.evidence:
        seen = ", ".join(f"{name} {_shown(value)}" for name, value in hit.evidence.items())
        label = [Piece(f"  {words('evidence')}{words.colon}", "dim")]
        lines += paragraph(seen, width, label)[:TALLEST_EVIDENCE]
    if finding.first:
        when = words("first", finding.times, when=finding.first)
        lines.append([Piece(f"  {when}", "dim")])
    if hit.fix is not None:
        lines += fix_lines(hit.fix, hit.where, read, words, width)
    more = f"keng explain {finding.pitfall}"
    lines.append([Piece(f"  {words('more')}{words.colon}", "dim"), Piece(more, "command")])
    return lines


def concise(finding: Finding, words: Words) -> list[Line]:
    """The same in one line."""
    where = [Piece(place(finding.hit.where), "place"), Piece(": ")] if finding.hit.where else []
    return [
        [
            *where,
            Piece(words(finding.severity), finding.severity),
            Piece(" "),
            Piece(finding.pitfall, "name"),
            _doubt(finding, words),
            Piece(words.colon + " ".join(finding.hit.says.split())),
        ]
    ]


def _doubt(finding: Finding, words: Words) -> Piece:
    return Piece("" if finding.hit.sure else f" ({words('suspicious')})", "dim")


def fix_lines(
    fix: Fix,
    where: Span | None,
    read: Reader,
    words: Words,
    width: int,
    tallest: int = TALLEST_DIFF,
) -> list[Line]:
    note = "" if fix.safety == "safe" else f" ({words(fix.safety)})"
    label = [Piece(f"  {words('fix')}{words.colon}", "dim")]
    lines = paragraph(fix.title + note, width, label)[:TALLEST_TITLE]
    text = read(where.path) if where else None
    changed = diffs.of_fix(fix, text) if text is not None else []
    lines += [[Piece("  "), *line] for line in changed[:tallest]]
    if (left := len(changed) - tallest) > 0:
        lines.append([Piece("  " + words("cut", left), "dim")])
    return lines


def blind_line(blind: Blind, words: Words) -> Line:
    where = [Piece(blind.path, "place"), Piece(words.colon)] if blind.path else []
    return [*where, Piece(words("unlooked"), "warning"), Piece(words.colon + blind.why)]


def counts(findings: Iterable[Finding], words: Words) -> str:
    """ "2 errors, 1 warning" """
    severities = [finding.severity for finding in findings]
    numbers = [(severity, severities.count(severity)) for severity in SEVERITIES]
    return words.comma.join(words(f"{severity}s", n) for severity, n in numbers if n)


def summary(findings: Sequence[Finding], files: int, words: Words) -> list[Line]:
    """The last line of a check."""
    looked = words("files", files)
    if not findings:
        return [[Piece(words("clean", files=looked))]]
    return [[Piece(words("found", counts=counts(findings, words), files=looked), "name")]]


def place(where: Span) -> str:
    below = where.path.startswith(os.path.join(HERE, ""))
    path = os.path.relpath(where.path, HERE) if below else where.path
    parts = [path, str(where.line)] + ([str(where.column)] if where.column else [])
    return ":".join(parts)


def _shown(value: Value) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
