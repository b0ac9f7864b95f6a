"""What is to be done about a finding of a run: the fix that the source shows, or for ranks, whose job is
often killed before anybody reads a page, that page's advice."""

from __future__ import annotations

from keng import pitfalls
from keng.model import Finding, Skipped
from keng.pitfalls.page import page_of


def remedied(finding: Finding) -> Finding:
    """With the fix that the source shows for the same pitfall at the same line, where the run alone shows
    none."""
    where, finders = finding.hit.where, pitfalls.pitfall(finding.pitfall).finders
    if finding.hit.fix or where is None:
        return finding
    fixing = [finder for finder in finders if finder.fixes]
    if not fixing:
        return finding
    from keng.source import Project

    code = Project().read(where.path)
    if isinstance(code, Skipped) or not code.relevant:
        return finding
    try:
        hits = [hit for finder in fixing for hit in finder.function(code)]
    except Exception:  # the finding is shown without a fix
        return finding
    fixes = [hit.fix for hit in hits if hit.where and hit.where.line == where.line and hit.fix]
    return finding._replace(hit=finding.hit._replace(fix=fixes[0])) if fixes else finding


def cure_of(finding: Finding, lang: str) -> str:
    """The page's, where no fix is known."""
    if finding.origin != "ranks" or finding.hit.fix is not None:
        return ""
    return page_of(pitfalls.pitfall(finding.pitfall), lang).cure
