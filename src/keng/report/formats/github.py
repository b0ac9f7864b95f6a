"""Annotations that GitHub shows next to the lines of a pull request."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from keng.model import Finding, Notice, Skipped, Span

LEVELS = {"error": "error", "warning": "warning", "hint": "notice"}


def commands(
    findings: Iterable[Finding], skipped: Iterable[Skipped], notes: Iterable[Notice] = ()
) -> Iterator[str]:
    for finding in findings:
        where = finding.hit.where
        properties: dict[str, object] = {"title": f"keng {finding.pitfall}"}
        if where is not None:
            properties |= _place(where)
        yield _command(LEVELS[finding.severity], properties, finding.hit.says)
    for each in skipped:
        yield _command("error", {"title": "keng", "file": each.path or None}, each.why)
    for note in notes:
        yield _command("warning", {"title": "keng", **_place(note.where)}, note.says)


def _place(where: Span) -> dict[str, object]:
    start = {"file": where.path, "line": where.line, "col": where.column}
    return {**start, "endLine": where.end_line, "endColumn": where.end_column}


def _command(level: str, properties: dict[str, object], text: str) -> str:
    given = (f"{name}={_property(str(value))}" for name, value in properties.items() if value)
    return f"::{level} {','.join(given)}::{_escaped(text)}"


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")
