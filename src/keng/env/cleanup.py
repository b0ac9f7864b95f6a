"""Removes what a fix may remove."""

from __future__ import annotations

import os
from collections.abc import Iterable

from keng._util.texts import sentence, why
from keng.model import Finding, Skipped


def removable(findings: Iterable[Finding]) -> list[str]:
    """The files that may go; only what is sure."""
    fixes = (finding.hit.fix for finding in findings if finding.hit.sure)
    return [path for fix in fixes if fix is not None for path in fix.removes]


def remove(findings: Iterable[Finding]) -> tuple[list[str], list[Skipped]]:
    """The files that are gone now, and those that could not be removed. The machine must have been
    looked at just now: a lock may find a new owner."""
    gone: list[str] = []
    failed: list[Skipped] = []
    for path in removable(findings):
        try:
            os.unlink(path)
            gone.append(path)
        except OSError as error:
            failed.append(Skipped(path, sentence("not_removable", why=why(error))))
    return gone, failed
