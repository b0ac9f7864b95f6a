"""What `keng run` sees of silent faults: `python benchmarks/silent/bench.py [NAME ...]`.

Each case of programs/ is run as a faulty program, a clean twin and a near miss. Printed, a row a case:
whether anything was found in the faulty one, whether the cause was named and the line, what was said of the
clean twin and of the near miss (all of it false), and the CPU time that watching the clean twin added.
Nothing is set up for any of them. A program that raises is told on stderr, and the exit code is 1: a silent
fault raises nothing. `--json FILE` keeps all findings.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

from case import KINDS, Case, every
from trial import Found, trial


@dataclass(frozen=True)
class Row:
    name: str
    source: str
    detected: bool
    cause: bool
    line: bool
    clean: list[str]
    """The pitfalls that were named where there is none."""
    near: list[str]
    added: float
    """Seconds."""
    findings: dict[str, Found]
    raised: dict[str, str]
    """Which programs ended with an error, and with which: the bench is at fault."""


def row(case: Case, folder: Path) -> Row:
    trials = {
        kind: trial(case.programs[kind], folder / case.name / kind, case.ranks, watched=True)
        for kind in KINDS
    }
    plain = trial(case.programs["clean"], folder / case.name / "plain", case.ranks, watched=False)
    ended = {**trials, "plain": plain}
    if case.stalls:  # keng has ended it
        del ended["faulty"]
    found = {kind: trials[kind].found for kind in KINDS}
    caused = [each for each in found["faulty"] if each["pitfall"] in case.causes]
    return Row(
        case.name,
        case.source,
        bool(found["faulty"]),
        bool(caused),
        any(each["line"] in case.lines for each in caused),
        [each["pitfall"] for each in found["clean"]],
        [each["pitfall"] for each in found["near"]],
        trials["clean"].seconds - plain.seconds,
        found,
        {kind: each.raised for kind, each in ended.items() if each.raised},
    )


def shown(row: Row) -> str:
    seen = " | ".join("yes" if told else "**no**" for told in (row.detected, row.cause, row.line))
    alarms = " | ".join(", ".join(names) or "0" for names in (row.clean, row.near))
    return f"| {row.name} | {row.source} | {seen} | {alarms} | {row.added:.2f} s |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    print("| case | source | detected | cause | line | clean twin | near miss | added |")
    print("|---|---|---|---|---|---|---|---|")
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for case in every():
            if not asked.names or case.name in asked.names:
                rows.append(row(case, Path(folder)))
                print(shown(rows[-1]), flush=True)
                for kind, error in rows[-1].raised.items():
                    print(f"{case.name}, {kind}: raised {error}", file=sys.stderr, flush=True)
    counts = [sum(getattr(row, name) for row in rows) for name in ("detected", "cause", "line")]
    alarms = [sum(len(getattr(row, name)) for row in rows) for name in ("clean", "near")]
    print(f"{len(rows)} cases: {counts} detected, cause, line; {alarms} alarms on clean, near")
    if asked.json:
        asked.json.write_text(json.dumps([asdict(row) for row in rows], indent=1), "utf-8")
    sys.exit(any(row.raised for row in rows))


if __name__ == "__main__":
    main()
