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

DATA = Path(__file__).parent / "data"
READ = {
    name: tomllib.loads((DATA / name).read_text("utf-8"))["report"]
    for name in (
        "reports.toml",
        "reports_c.toml",
        "reports_d.toml",
        "reports_e.toml",
        "reports_f.toml",
        "reports_g.toml",
        "reports_h.toml",
        "reports_i.toml",
        "reports_j.toml",
        "reports_k.toml",
        "reports_n.toml",
        "reports_m.toml",
        "reports_l.toml",
        "reports_o.toml",
        "reports_p.toml",
        "reports_s.toml",
    )
}
REPORTS = [report for read in READ.values() for report in read]
TWO = READ["reports.toml"]
SETS = {
    "A": TWO[0::2],
    "B": TWO[1::2],
    "C": READ["reports_c.toml"],
    "D": READ["reports_d.toml"],
    "E": READ["reports_e.toml"],
    "F": READ["reports_f.toml"],
    "G": READ["reports_g.toml"],
    "H": READ["reports_h.toml"],
    "I": READ["reports_i.toml"],
    "J": READ["reports_j.toml"],
    "K": READ["reports_k.toml"],
    "N": READ["reports_n.toml"],
    "M": READ["reports_m.toml"],
    "L": READ["reports_l.toml"],
    "O": READ["reports_o.toml"],
    "P": READ["reports_p.toml"],
    "S": READ["reports_s.toml"],
}


@pytest.mark.parametrize("name", sorted(SETS))
def test_most_causes_are_named_first(name: str) -> None:
    chosen = [report for report in SETS[name] if report["units"]]
    found = [explain.text(report["text"], source=False).diagnoses for report in chosen]
    right = sum(
        bool(named) and named[0].pitfall in report["units"]
        for report, named in zip(chosen, found, strict=True)
    )
    assert right >= 0.9 * len(chosen)


@pytest.mark.parametrize("report", [r for r in REPORTS if not r["units"]], ids=lambda r: r["where"])
def test_no_pitfall_is_seen_in_what_is_not_pytorchs(report: dict[str, str]) -> None:
    assert not explain.text(report["text"], source=False).diagnoses
