"""A code quality report, which GitLab shows in merge requests."""

from __future__ import annotations

import hashlib
import json

from keng.model import Finding, Skipped, Span
from keng.report.places import posix
from keng.report.records import Record
from keng.report.result import Outcome

SEVERITIES = {"error": "critical", "warning": "major", "hint": "info"}


def gitlab(outcome: Outcome) -> str:
    marked = zip(outcome.findings, outcome.prints, strict=True)
    rows = [_finding(finding, mark) for finding, mark in marked]
    return json.dumps([*rows, *map(_skipped, outcome.skipped)], indent=2) + "\n"


def _finding(finding: Finding, mark: str) -> Record:
    where = finding.hit.where or Span("", 1)
    return {
        "check_name": finding.pitfall,
        "description": finding.hit.says,
        "severity": SEVERITIES[finding.severity],
        "fingerprint": _digest(posix(where.path), mark),
        "location": {
            "path": posix(where.path),
            "lines": {"begin": where.line, "end": where.end_line or where.line},
        },
    }


def _skipped(skipped: Skipped) -> Record:
    return {
        "check_name": "keng",
        "description": f"not analysed: {skipped.why}",
        "severity": "blocker",
        "fingerprint": _digest(posix(skipped.path), skipped.why),
        "location": {"path": posix(skipped.path), "lines": {"begin": 1}},
    }


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]
