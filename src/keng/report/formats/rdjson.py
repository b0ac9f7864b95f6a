"""Reviewdog's diagnostic format. Its columns count bytes of UTF-8."""

from __future__ import annotations

import json

from keng.model import Finding, Fix, Skipped, Span
from keng.report.frames import Reader
from keng.report.places import posix
from keng.report.ranges import bytes_before, region_of
from keng.report.records import Record
from keng.report.result import Outcome

SEVERITIES = {"error": "ERROR", "warning": "WARNING", "hint": "INFO"}


def rdjson(outcome: Outcome) -> str:
    rows = [_finding(finding, outcome.read) for finding in outcome.findings]
    told = {
        "source": {"name": "keng"},
        "severity": "WARNING",
        "diagnostics": [*rows, *map(_skipped, outcome.skipped)],
    }
    return json.dumps(told, indent=2) + "\n"


def _finding(finding: Finding, read: Reader) -> Record:
    hit = finding.hit
    row: Record = {
        "message": hit.says,
        "severity": SEVERITIES[finding.severity],
        "code": {"value": finding.pitfall},
        "location": _location(hit.where, read) if hit.where else {"path": ""},
    }
    text = read(hit.where.path) if hit.where else None
    if hit.fix is not None and hit.fix.edits and text is not None:
        row["suggestions"] = _suggestions(hit.fix, text)
    return row


def _location(where: Span, read: Reader) -> Record:
    first, last = bytes_before(where, read)
    start = {"line": where.line} | ({"column": first} if first else {})
    end = {"line": where.end_line or where.line} | ({"column": last} if last else {})
    return {"path": posix(where.path), "range": {"start": start, "end": end}}


def _suggestions(fix: Fix, text: str) -> list[Record]:
    rows = []
    for edit in fix.edits:
        line, column, end_line, end_column = region_of(edit, text, in_bytes=True)
        span = {
            "start": {"line": line, "column": column},
            "end": {"line": end_line, "column": end_column},
        }
        rows.append({"range": span, "text": edit.text})
    return rows


def _skipped(skipped: Skipped) -> Record:
    return {
        "message": f"not analysed: {skipped.why}",
        "severity": "ERROR",
        "code": {"value": "keng"},
        "location": {"path": posix(skipped.path)},
    }
