"""Errors as people reported them: `benchmarks/explain_reports.py` prints the whole table."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from keng import explain

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

REPORTS = tomllib.loads((Path(__file__).parent / "data/reports.toml").read_text("utf-8"))["report"]


@pytest.mark.parametrize("half", [0, 1])
def test_most_causes_are_named_first(half: int) -> None:
    chosen = [report for report in REPORTS[half::2] if report["units"]]
    found = [explain.text(report["text"], source=False).diagnoses for report in chosen]
    right = sum(
        bool(named) and named[0].pitfall in report["units"]
        for report, named in zip(chosen, found, strict=True)
    )
    assert right >= 0.9 * len(chosen)


@pytest.mark.parametrize("report", [r for r in REPORTS if not r["units"]], ids=lambda r: r["where"])
def test_no_pitfall_is_seen_in_what_is_not_pytorchs(report: dict[str, str]) -> None:
    assert not explain.text(report["text"], source=False).diagnoses
