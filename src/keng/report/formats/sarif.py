"""SARIF 2.1.0, which code scanning reads."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import quote

from keng.model import Finding, Fix, Notice, Severity, Skipped, Span
from keng.report.pages import Prose
from keng.report.places import posix
from keng.report.ranges import region_of
from keng.report.records import Record
from keng.report.result import Outcome

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
LEVELS = {"error": "error", "warning": "warning", "hint": "note"}


def sarif(outcome: Outcome) -> str:
    severities = {finding.pitfall: finding.severity for finding in outcome.findings}
    names = sorted(severities)
    driver = {
        "name": "keng",
        "version": outcome.version,
        "rules": [_rule(name, severities[name], outcome.pages) for name in names],
    }
    marked = zip(outcome.findings, outcome.prints, strict=True)
    told = [*map(_of_skipped, outcome.skipped), *map(_of_note, outcome.notes)]
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "invocations": [
            {
                "executionSuccessful": all(each.ours for each in outcome.skipped),
                "toolExecutionNotifications": told,
            }
        ],
        "results": [_result(f, mark, names.index(f.pitfall), outcome) for f, mark in marked],
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _rule(name: str, severity: Severity, pages: Mapping[str, Prose]) -> Record:
    rule: Record = {"id": name, "defaultConfiguration": {"level": LEVELS[severity]}}
    if (page := pages.get(name)) is not None:
        rule |= {
            "shortDescription": {"text": page.title},
            "fullDescription": {"text": page.why},
            "help": {"text": page.cure, "markdown": _markdown(page)},
        }
    return rule


def _markdown(page: Prose) -> str:
    programs = (
        f"{block.label}:\n\n```python\n{block.text}```"
        for block in page.blocks
        if block.label in ("Bad", "Good")
    )
    return "\n\n".join([page.why, page.cure, *programs])


def _result(finding: Finding, mark: str, rule: int, outcome: Outcome) -> Record:
    hit = finding.hit
    result: Record = {
        "ruleId": finding.pitfall,
        "ruleIndex": rule,
        "level": LEVELS[finding.severity],
        "message": {"text": hit.says},
        "partialFingerprints": {"keng/v1": mark},
    }
    if hit.where is not None:
        result["locations"] = [_location(hit.where)]
        text = outcome.read(hit.where.path)
        if hit.fix is not None and hit.fix.edits and text is not None:
            result["fixes"] = [_fix(hit.fix, hit.where.path, text)]
    return result


def _location(where: Span) -> Record:
    region = {
        "startLine": where.line,
        "startColumn": where.column,
        "endLine": where.end_line,
        "endColumn": where.end_column,
    }
    known = {name: value for name, value in region.items() if value is not None}
    return {"physicalLocation": {"artifactLocation": {"uri": _uri(where.path)}, "region": known}}


def _fix(fix: Fix, path: str, text: str) -> Record:
    replacements = []
    for edit in fix.edits:
        place = region_of(edit, text)
        region = {
            "startLine": place.line,
            "startColumn": place.column,
            "endLine": place.end_line,
            "endColumn": place.end_column,
        }
        replacements.append({"deletedRegion": region, "insertedContent": {"text": edit.text}})
    change = {"artifactLocation": {"uri": _uri(path)}, "replacements": replacements}
    return {"description": {"text": fix.title}, "artifactChanges": [change]}


def _of_skipped(skipped: Skipped) -> Record:
    told: Record = {"level": "error", "message": {"text": f"not analysed: {skipped.why}"}}
    if skipped.path:
        place = {"physicalLocation": {"artifactLocation": {"uri": _uri(skipped.path)}}}
        told["locations"] = [place]
    return told


def _of_note(note: Notice) -> Record:
    return {
        "level": "warning",
        "message": {"text": note.says},
        "locations": [_location(note.where)],
    }


def _uri(path: str) -> str:
    near = posix(path)
    return (
        Path(near).as_uri() if Path(near).is_absolute() else quote(near, errors="surrogateescape")
    )
