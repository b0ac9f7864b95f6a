"""`keng check` on programs with several faults each. Every mark is a case."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from evals.answers import Answer, Place, judge_each
from evals.child import environment
from evals.marks import marks_of, unmarked_copy
from evals.sets import Program, Set

HEAD = "at the line"
ALL_LEVELS = ("--select", "all", "--suspicious")


@dataclass(frozen=True)
class Task:
    program: Program
    options: tuple[str, ...]

    @property
    def name(self) -> str:
        return self.program.name


def tasks(chosen: Set, all_levels: bool = False) -> list[Task]:
    return [Task(program, ALL_LEVELS if all_levels else ()) for program in chosen.programs()]


def judge(task: Task) -> Answer:
    """Checks a program or a project by itself, as its users would."""
    program = task.program
    with tempfile.TemporaryDirectory() as folder:
        found = findings(unmarked_copy(program.path, Path(folder)), task.options)
    marks = marks_of(program.path, "check")
    return judge_each(program.path.name, program.faulty, marks, found)


def findings(program: Path, options: tuple[str, ...]) -> set[Place]:
    command = [sys.executable, "-m", "keng", "check", "--no-cache", "--json", *options]
    folder, asked = (program, ".") if program.is_dir() else (program.parent, program.name)
    done = subprocess.run(
        [*command, asked],
        cwd=folder,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    if not done.stdout:
        raise RuntimeError(f"{program.name}: {done.stderr}")
    answer = json.loads(done.stdout)
    if answer["blind"]:
        raise RuntimeError(f"{program.name}: could not be analysed: {answer['blind']}")
    within = f"{program.name}/" if program.is_dir() else ""
    return {(within + f["path"], f["line"], f["pitfall"]) for f in answer["findings"]}
