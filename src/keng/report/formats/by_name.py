"""The formats that programs read, by name."""

from __future__ import annotations

import json
from collections.abc import Callable

from keng.report import records
from keng.report.formats.github import commands
from keng.report.formats.gitlab import gitlab
from keng.report.formats.junit import junit
from keng.report.formats.pylint import pylint
from keng.report.formats.rdjson import rdjson
from keng.report.formats.sarif import sarif
from keng.report.result import Outcome


def as_json(outcome: Outcome) -> str:
    return json.dumps({**_record(outcome), "hints": outcome.hints}, indent=2) + "\n"


def _record(outcome: Outcome) -> records.Record:
    """Each finding with the fingerprint by which a baseline or an agent knows it again."""
    told = records.of_findings(outcome.findings, outcome.skipped)
    for row, fingerprint in zip(told["findings"], outcome.prints, strict=True):
        row["fingerprint"] = fingerprint
    return told


def json_lines(outcome: Outcome) -> str:
    """A record a line; what could not be checked has a path and a why."""
    told = _record(outcome)
    return "".join(f"{json.dumps(row)}\n" for row in [*told["findings"], *told["blind"]])


def github(outcome: Outcome) -> str:
    lines = commands(outcome.findings, outcome.skipped, outcome.notes)
    return "".join(f"{line}\n" for line in lines)


FORMATS: dict[str, Callable[[Outcome], str]] = {
    "json": as_json,
    "json-lines": json_lines,
    "github": github,
    "gitlab": gitlab,
    "sarif": sarif,
    "junit": junit,
    "pylint": pylint,
    "rdjson": rdjson,
}
