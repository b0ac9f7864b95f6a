"""What a check has to tell, for the formats that programs read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from keng.model import Finding, Notice, Skipped
from keng.report.frames import Reader
from keng.report.pages import Prose


class Outcome(NamedTuple):
    """`prints` holds a finger-print for each finding, `pages` the page of each pitfall met, by name;
    `hints` counts those that are not shown."""

    findings: Sequence[Finding]
    skipped: Sequence[Skipped] = ()
    notes: Sequence[Notice] = ()
    prints: Sequence[str] = ()
    pages: Mapping[str, Prose] = {}
    read: Reader = lambda path: None
    version: str = ""
    hints: int = 0
