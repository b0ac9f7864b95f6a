"""`keng run` on programs with one fault each, which also run without it: both must print the same.

Programs of `silent` sets raise nothing; those of `unseen` sets end in a digest of their weights.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path

from evals import trial
from evals.answers import Answer, judge_one
from evals.marks import marks_of, unmarked_copy
from evals.sets import Program, Set

HEAD = "at the line"


@dataclass(frozen=True)
class Task:
    program: Program

    @property
    def name(self) -> str:
        return self.program.name


def tasks(chosen: Set) -> list[Task]:
    return [Task(program) for program in chosen.programs()]


def judge(task: Task) -> Answer:
    program = task.program
    ranks, stalls = program.settings.get("ranks", 1), program.settings.get("stalls", False)
    with tempfile.TemporaryDirectory() as home:
        watched = _run(program, Path(home, "watched"), ranks, watched=True)
        plain = None if stalls else _run(program, Path(home, "plain"), ranks, watched=False)
    found = [(Path(f["path"] or "").name, f["line"] or 0, f["pitfall"]) for f in watched.findings]
    marks = marks_of(program.path, "run")
    notes = _notes(watched, plain)
    return judge_one(program.path.name, program.faulty, marks, found, notes=notes)


def _run(program: Program, home: Path, ranks: int, watched: bool) -> trial.Trial:
    home.mkdir()
    copy = unmarked_copy(program.path, home)
    return trial.run(copy, home / "results", ranks, watched)


def _notes(watched: trial.Trial, plain: trial.Trial | None) -> list[str]:
    """`plain` is None for a program that does not end by itself."""
    notes = ["recorder stopped"] if watched.skipped else []
    if plain:
        same = (plain.output, plain.code) == (watched.output, watched.code)
        notes += [] if same else ["output changed"]
        notes += ["raised"] if plain.code else []
    return notes
