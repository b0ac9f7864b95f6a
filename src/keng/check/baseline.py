"""Findings that are known and borne with: only what is new is told.

The file holds path, pitfall and finger-print of each, sorted, so that it merges well.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from keng._util.texts import sentence, why
from keng.check.fingerprints import prints_in
from keng.check.patterns import seen_from
from keng.model import Finding
from keng.pitfalls.select import Wrong
from keng.source import Code


class Entry(NamedTuple):
    path: str
    pitfall: str
    fingerprint: str


class Baseline:
    """Paths count from the folder of the baseline's file."""

    def __init__(self, home: str | Path, known: Iterable[Entry]) -> None:
        self._home = home
        self._known = frozenset(known)

    def known(self, findings: Sequence[Finding], code: Code) -> list[bool]:
        """Of each finding of a file, whether the baseline holds it, under its name or a former one."""
        held = self._held(findings, code)
        while any(finding.aliases for finding in findings):
            findings = [_under_former_name(finding) for finding in findings]
            held = [a or b for a, b in zip(held, self._held(findings, code), strict=True)]
        return held

    def _held(self, findings: Sequence[Finding], code: Code) -> list[bool]:
        rows = entries(self._home, findings, {code.path: code})
        return [row in self._known for row in rows]


def entries(
    home: str | Path, findings: Sequence[Finding], codes: Mapping[str, Code]
) -> list[Entry]:
    """One for each finding."""
    rows = []
    for finding, mark in zip(findings, prints_in(findings, codes), strict=True):
        path = finding.hit.where.path if finding.hit.where else ""
        rows.append(Entry(seen_from(home, path), finding.pitfall, mark))
    return rows


def _under_former_name(finding: Finding) -> Finding:
    first, *others = finding.aliases or (finding.pitfall,)
    return finding._replace(pitfall=first, aliases=tuple(others))


def load_baseline(file: str) -> Baseline:
    """Raises Wrong where the file cannot be read."""
    try:
        told = json.loads(Path(file).read_text("utf-8"))
        rows = [Entry(row["path"], row["pitfall"], row["fingerprint"]) for row in told["findings"]]
    except FileNotFoundError:
        raise Wrong(sentence("about", subject=file, says=sentence("no_baseline"))) from None
    except OSError as error:
        raise Wrong(sentence("about", subject=file, says=why(error))) from None
    except (ValueError, TypeError, KeyError):
        raise Wrong(sentence("about", subject=file, says=sentence("not_a_baseline"))) from None
    return Baseline(os.path.dirname(os.path.abspath(file)), rows)


def as_json(rows: Iterable[Entry]) -> str:
    findings = [row._asdict() for row in sorted(rows)]
    return json.dumps({"version": 1, "findings": findings}, indent=1) + "\n"
