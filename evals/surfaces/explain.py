"""How often `keng explain` names the cause of errors that people reported.

Usage: python benchmarks/explain_reports.py

Reads tests/data/reports.toml, whose reports are in two halves by turns, A and B, and the sets from C on, a
file each. All have been tuned on since they were first measured (benchmarks/README.md has the first
figures). "First" and "in three" count reports whose cause is the first, or one of the first three, that is
named; of reports in which PyTorch has no part, that none is.
Prints what was named instead.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import Any

from keng.explain.engine import explain_text

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

DATA = Path(__file__).parent.parent / "tests/data"
Report = dict[str, Any]


def reports(name: str) -> list[Report]:
    return tomllib.loads((DATA / name).read_text("utf-8"))["report"]


def named(report: Report) -> list[str]:
    """The units that are named, likeliest first; "not known", or "not PyTorch" alone."""
    explanation = explain_text(report["text"], source=False)
    if explanation.diagnoses:
        return [each.pitfall for each in explanation.diagnoses]
    return ["not known" if explanation.pytorch else "not PyTorch"]


def main() -> int:
    both = reports("reports.toml")
    sets = {"A": both[::2], "B": both[1::2]}
    sets |= {
        path.stem.partition("_")[2].upper(): reports(path.name)
        for path in sorted(DATA.glob("reports_*.toml"))
    }
    wrong: Counter[tuple[str, str, str]] = Counter()
    for half, chosen in sets.items():
        told = [(report, report["units"] or ["not PyTorch"], named(report)) for report in chosen]
        pytorchs = [(right, said) for report, right, said in told if report["units"]]
        others = [said for report, _, said in told if not report["units"]]
        first = sum(said[0] in right for right, said in pytorchs)
        three = sum(bool(set(said[:3]) & set(right)) for right, said in pytorchs)
        claims = sum(said != ["not PyTorch"] for said in others)
        print(
            f"set {half}: {len(pytorchs)} of PyTorch, first {first / len(pytorchs):.1%}, "
            f"in three {three / len(pytorchs):.1%}; {len(others)} of others, {claims} claimed"
        )
        for _, right, said in told:
            if said[0] not in right:
                wrong[half, right[0], said[0]] += 1
    print("\ncause -> named first, where they differ")
    for (half, right, said), times in sorted(wrong.items()):
        print(f"  {half}: {right} -> {said}: {times}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
