"""A finding as a screen shows it, with what its page calls it where that is in another language."""

from __future__ import annotations

from keng.model import Finding
from keng.page import title_in
from keng.report import findings
from keng.report.frames import Reader
from keng.report.screen import Line
from keng.report.words import Words


def whole(finding: Finding, read: Reader, words: Words, width: int) -> list[Line]:
    title = title_in(words.lang, finding.group, finding.pitfall)
    return findings.full(finding, read, words, width, title)
