"""JUnit XML: each file is a suite, each finding a failed case, what could not be checked an error."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import groupby
from typing import TYPE_CHECKING

from keng.model import Finding, Skipped
from keng.report.places import posix
from keng.report.result import Outcome

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

FORBIDDEN = "[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"
"""Characters that XML 1.0 cannot hold."""


def junit(outcome: Outcome) -> str:
    from xml.etree.ElementTree import Element, indent, tostring

    top = Element("testsuites", name="keng")
    for path, found in groupby(outcome.findings, key=_path):
        _suite(top, path, [_failure(finding) for finding in found])
    for skipped in outcome.skipped:
        _suite(top, skipped.path, [_error(skipped)])
    if not len(top):
        _suite(top, "keng", [_case("keng")])
    for kind, tag in (("tests", "testcase"), ("failures", "failure"), ("errors", "error")):
        top.set(kind, _count(top, tag))
    indent(top)
    return f"<?xml version='1.0' encoding='utf-8'?>\n{tostring(top, encoding='unicode')}\n"


def _suite(top: Element, path: str, cases: Iterable[Element]) -> None:
    from xml.etree.ElementTree import SubElement

    suite = SubElement(top, "testsuite", name=_clean(posix(path)))
    suite.extend(cases)
    for kind, tag in (("tests", "testcase"), ("failures", "failure"), ("errors", "error")):
        suite.set(kind, _count(suite, tag))


def _failure(finding: Finding) -> Element:
    where = finding.hit.where
    place = {"line": str(where.line), "column": str(where.column or 1)} if where else {}
    case = _case(finding.pitfall, classname=_clean(posix(_path(finding))), **place)
    return _with(case, "failure", finding.hit.says, finding.severity)


def _error(skipped: Skipped) -> Element:
    case = _case("keng", classname=_clean(posix(skipped.path)))
    return _with(case, "error", f"not analysed: {skipped.why}", "blind")


def _case(name: str, **attributes: str) -> Element:
    from xml.etree.ElementTree import Element

    return Element("testcase", {"name": name, **attributes})


def _with(case: Element, tag: str, text: str, kind: str) -> Element:
    from xml.etree.ElementTree import SubElement

    told = SubElement(case, tag, message=_clean(" ".join(text.split())), type=kind)
    told.text = _clean(text)
    return case


def _count(element: Element, tag: str) -> str:
    return str(sum(1 for _ in element.iter(tag)))


def _path(finding: Finding) -> str:
    return finding.hit.where.path if finding.hit.where else ""


def _clean(text: str) -> str:
    return re.sub(FORBIDDEN, "?", text)
