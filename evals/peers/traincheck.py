"""TrainCheck on the silent faults of evals/run/silent-1.

Usage: python -m evals.peers.traincheck FOLDER [NAME ...]

FOLDER holds its commands (`pip install traincheck==0.2.0` in an environment of its own, with torch). It
learns from the clean twin of each case, as it needs a run that is right, and then checks the faulty program,
the clean twin again, and the near miss. Prints, a row a case, how many of its invariants each violates, how
many the faulty one violates and the clean twin does not (what it detects), and the seconds that learning and
one watched run take. Cases of several ranks, those without a `model`, and those at which TrainCheck fails are
left out; stderr lists them.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from evals.marks import without_marks
from evals.sets import Set, sets_of

LONGEST = 900
"""Seconds that one of its commands may take."""


KINDS = ("faulty", "clean", "near")


@dataclass(frozen=True)
class Case:
    name: str
    ranks: int
    programs: dict[str, str]
    """Texts by kind."""


class Failed(Exception):  # noqa: N818
    """A command failed; the text is its last line."""


def cases(silent: Set) -> Iterator[Case]:
    for program in silent.programs():
        if program.faulty:
            clean = silent.folder / "clean" / program.path.name
            near = clean.with_name(f"{program.name}_near_miss.py")
            texts = (without_marks(p.read_text("utf-8")) for p in (program.path, clean, near))
            yield Case(
                program.name, program.settings.get("ranks", 1), dict(zip(KINDS, texts, strict=True))
            )


def violated(case: Case, kind: str, tools: Path, folder: Path) -> set[str]:
    """The invariants that a program of the case violates, as texts."""
    trace = f"trace_{kind}"
    learnt = ("--models-to-track", "model", "--invariants", "invariants.json")
    _call(
        tools / "traincheck-collect", "-p", f"{kind}.py", *learnt, "--output-dir", trace, at=folder
    )
    asked = ("-f", trace, "-i", "invariants.json", "--check-relation-first")
    _call(tools / "traincheck-check", *asked, "-o", f"result_{kind}", at=folder)
    logs = Path(folder, f"result_{kind}").rglob("failed.log")
    return {json.dumps(each["invariant"], sort_keys=True) for log in logs for each in _objects(log)}


def _objects(log: Path) -> Iterator[dict[str, object]]:
    """JSON objects, one after the other."""
    text, at = log.read_text("utf-8"), 0
    while begun := text.find("{", at) + 1:
        found, at = json.JSONDecoder().raw_decode(text, begun - 1)
        yield found


def _call(*command: object, at: Path) -> None:
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        [str(word) for word in command],
        cwd=at, env=environment, capture_output=True, text=True, timeout=LONGEST,
    )  # fmt: skip
    if done.returncode:
        lines = (done.stdout + done.stderr).strip().splitlines()
        raise Failed(f"{Path(str(command[0])).name}: {lines[-1] if lines else done.returncode}")


def row(case: Case, tools: Path, folder: Path) -> str:
    for kind, text in case.programs.items():
        Path(folder, f"{kind}.py").write_text(text, "utf-8")
    begun = time.monotonic()
    collect = ("-p", "clean.py", "--models-to-track", "model", "--output-dir", "reference")
    _call(tools / "traincheck-collect", *collect, at=folder)
    _call(tools / "traincheck-infer", "-f", "reference", at=folder)
    learnt = time.monotonic()
    faulty = violated(case, "faulty", tools, folder)
    watched = time.monotonic() - learnt
    clean, near = (violated(case, kind, tools, folder) for kind in ("clean", "near"))
    counts = (len(faulty), len(clean), len(near), len(faulty - clean))
    return f"| {case.name} | {' | '.join(map(str, counts))} | {learnt - begun:.0f} s | {watched:.0f} s |"


def main() -> None:
    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("tools", type=Path)
    parser.add_argument("names", nargs="*")
    asked = parser.parse_args()
    print("| case | faulty | clean twin | near miss | in the faulty alone | learning | one run |")
    print("|---|---|---|---|---|---|---|")
    [silent] = sets_of("run", ["silent-1"])
    for case in cases(silent):
        if asked.names and case.name not in asked.names:
            continue
        if case.ranks > 1 or "model = " not in case.programs["clean"]:
            print(f"{case.name}: several ranks, or no `model`", file=sys.stderr)
            continue
        with tempfile.TemporaryDirectory() as folder:
            try:
                print(row(case, asked.tools.absolute(), Path(folder)), flush=True)
            except (Failed, subprocess.TimeoutExpired) as error:
                print(f"{case.name}: {error}", file=sys.stderr)


if __name__ == "__main__":
    main()
