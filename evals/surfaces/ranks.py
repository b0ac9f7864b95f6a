"""`keng run` on programs of several processes, started by torchrun with gloo.

A program, a file or a folder with a train.py, has one fault. Its processes may take 30 s; `--stall 4` makes
keng speak before that.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from evals.answers import Answer, Place, judge_one
from evals.child import environment
from evals.marks import marks_of, unmarked_copy
from evals.sets import Program, Set

HEAD = "at the line"
LONGEST = 30.0
PRINTED = re.compile(r"^keng: (\S+):(\d+): \w+ ([\w-]+): ", re.M)


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
    with tempfile.TemporaryDirectory() as folder:
        copy = unmarked_copy(program.path, Path(folder))
        script = copy / "train.py" if copy.is_dir() else copy
        found, printed = run(script, program.settings)
    marks = marks_of(program.path, "run")
    return judge_one(program.path.name, program.faulty, marks, found, said=printed)


def run(script: Path, settings: dict[str, int]) -> tuple[list[Place], str]:
    """The findings, and all that was printed."""
    folder = script.parent
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone"]
    command += ["--nproc-per-node", str(settings.get("ranks", 2))]
    command += ["--max-restarts", str(settings.get("restarts", 0))]
    command += ["-m", "keng", "run", "--stall", "4", "--json", "findings.json", script.name]
    variables = environment(OMP_NUM_THREADS="1", NO_COLOR="1")
    with (folder / "printed").open("w") as out:
        job = subprocess.Popen(
            command, cwd=folder, env=variables, stdout=out, stderr=out, start_new_session=True
        )
        try:
            job.wait(LONGEST)
        except subprocess.TimeoutExpired:
            os.killpg(job.pid, signal.SIGTERM)  # as a user presses Ctrl-C; torchrun ends its ranks
            job.wait()
    result, printed = folder / "findings.json", (folder / "printed").read_text("utf-8")
    if not result.exists():  # the launcher ended the job before it was written
        return [(path, int(line), name) for path, line, name in PRINTED.findall(printed)], printed
    answer = json.loads(result.read_text("utf-8"))["findings"]
    return [(Path(f["path"] or "").name, f["line"] or 0, f["pitfall"]) for f in answer], printed
