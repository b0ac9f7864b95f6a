"""Lines as pylint's `parseable` format has them, which many tools read."""

from __future__ import annotations

from keng.report.places import near
from keng.report.result import Outcome


def pylint(outcome: Outcome) -> str:
    lines = []
    for finding in outcome.findings:
        where = finding.hit.where
        place = f"{near(where.path)}:{where.line}: " if where else ""
        lines.append(f"{place}[{finding.pitfall}] {' '.join(finding.hit.says.split())}\n")
    lines += [
        f"{near(skipped.path)}:1: [keng] not analysed: {skipped.why}\n"
        for skipped in outcome.skipped
    ]
    return "".join(lines)
