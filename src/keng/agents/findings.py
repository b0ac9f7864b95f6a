"""Findings for a reader with a token budget: the counts first, then the findings, the worst first."""

from __future__ import annotations

import difflib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from keng.model import SEVERITIES, Edit, Fix

Record: TypeAlias = "dict[str, Any]"

BYTES_PER_TOKEN = 4
"""Of English and JSON, roughly."""


def rolled_up(
    found: Record, budget: int, since: Sequence[str] | None, texts: dict[str, str]
) -> Record:
    """Of the JSON of `keng check` or `keng run`: `summary`, what changed `since` some fingerprints, as many
    `findings` as the budget of tokens allows, and what was `not_analysed`. `texts` are sources that are in no
    file, by path."""
    findings = sorted(found["findings"], key=_importance)
    told: Record = {"summary": summary(findings)}
    if since is not None:
        told["since"] = changes(findings, since)
        findings = [each for each in findings if each.get("fingerprint") not in set(since)]
    told["not_analysed"] = found["blind"]
    shown = list(within(map(Shown(texts), findings), budget - cost(told)))
    return {**told, "findings": shown, "findings_left_out": len(findings) - len(shown)}


def summary(findings: Iterable[Record]) -> Record:
    findings = list(findings)
    severities = Counter(each["severity"] for each in findings)
    return {
        **{f"{severity}s": severities[severity] for severity in SEVERITIES},
        "by_pitfall": dict(Counter(each["pitfall"] for each in findings).most_common()),
        "files": len({each["path"] for each in findings}),
    }


def changes(findings: Iterable[Record], since: Sequence[str]) -> Record:
    """Which findings of an earlier answer are fixed, and how many are new."""
    now = {each.get("fingerprint") for each in findings}
    fixed = [each for each in since if each not in now]
    return {"fixed": fixed, "remaining": len(since) - len(fixed), "new": len(now - set(since))}


def within(records: Iterable[Record], budget: int) -> Iterator[Record]:
    """Records as long as the budget of tokens lasts; always the first."""
    spent = 0
    for n, record in enumerate(records):
        spent += cost(record)
        if n and spent > budget:
            return
        yield record


def cost(record: Record) -> int:
    """Tokens, estimated."""
    return len(json.dumps(record, ensure_ascii=False).encode()) // BYTES_PER_TOKEN


def _importance(finding: Record) -> tuple[object, ...]:
    where = (finding["path"] or "", finding["line"] or 0)
    return not finding["sure"], SEVERITIES.index(finding["severity"]), where


class Shown:
    """A finding as an agent reads it: the fix as a diff instead of offsets."""

    def __init__(self, texts: dict[str, str]) -> None:
        self._texts = texts

    def __call__(self, finding: Record) -> Record:
        keys = ("pitfall", "severity", "sure", "path", "line", "says", "fingerprint")
        told = {key: finding[key] for key in keys if key in finding}
        if finding["evidence"]:
            told["evidence"] = finding["evidence"]
        if (fix := finding["fix"]) is not None:
            diff = self._diff(finding["path"], fix["edits"])
            told["fix"] = {"title": fix["title"], "safety": fix["safety"], "diff": diff}
        return {**told, "page": f"keng://pit/{finding['pitfall']}"}

    def _diff(self, path: str | None, edits: Sequence[Record]) -> str:
        before = self._text(path)
        if before is None or not edits:
            return ""
        data = Fix("", tuple(Edit(**edit) for edit in edits)).applied_to(before.encode())
        after = data.decode("utf-8", "replace").splitlines(keepends=True)
        lines = before.splitlines(keepends=True)
        return "".join(difflib.unified_diff(lines, after, f"a/{path}", f"b/{path}", n=1))

    def _text(self, path: str | None) -> str | None:
        """None for what is no text; edits of a notebook count in its cells, not in its file."""
        if path is None or path.endswith(".ipynb"):
            return None
        try:
            return self._texts[path] if path in self._texts else Path(path).read_text("utf-8")
        except (OSError, ValueError):
            return None
