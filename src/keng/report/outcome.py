"""What a check has to tell, for the formats that programs read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from keng.model import Blind, Finding, Note
from keng.report.frames import Reader
from keng.report.pages import Prose


@dataclass(frozen=True, slots=True)
class Outcome:
    """`prints` holds a finger-print for each finding, `pages` the page of each pitfall met, by name."""

    findings: Sequence[Finding]
    blind: Sequence[Blind] = ()
    notes: Sequence[Note] = ()
    prints: Sequence[str] = ()
    pages: Mapping[str, Prose] = field(default_factory=dict)
    read: Reader = lambda path: None
    version: str = ""
