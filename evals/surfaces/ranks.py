"""What `keng run` says of programs on several ranks that it had never seen.

Usage: python benchmarks/ranks_unseen/bench.py [--second] [--show] [NAME ...]

Each program, a file or a folder with a train.py, runs under torchrun with two gloo processes, `--stall 4`,
and 30 s at most. Its first lines say which pitfalls may be named (`# pit:`); `# here` stands at the lines
that may be told. Prints a row for each: whether the pitfall is named, whether its line is, and what else
was said. `--show` prints keng's words.

Blind (5b97e50): of 24 faulty programs 23 were run, 15 named, 11 of these at the line; `leaves_when_empty`
was told as collectives-differ, which it is as well; missed `codebook_drifts`, `counted_twice`,
`gather_uneven`, `hand_written_ddp`, `not_sharded`, `same_order_each_epoch`, `send_unmet`. `fine_zero` was
accused, `fine_prepares_then_barrier` broken by the reading of the recorder. Two programs of the exam were
wrong: `fine_random_depth` could drop all its layers, and `group_of_some` does no harm in torch 2.13.
`fine_restarted` does not start again without keng either: its ranks read each other's old addresses.

After mending 32 of the 39 were run again, the machine being busy: what had been named still is (three
of these were not run), and `leaves_when_empty`, `same_order_each_epoch` and `uneven_shards` as well: 18
of 24. Of the 14 right ones run none was accused; `fine_restarted` is told rank-gone of its first
attempt, which is true. Still missed: buffers that move by intent of the user, padding in a metric,
models made apart whose gradients are averaged by hand, data shuffled whole and differently on each rank
(digests tell equal batches only), a message that nobody sends, and shapes at which gloo ends the
process before keng's thread has looked.

Later `hand_written_ddp`, `not_sharded` and `send_unmet` were mended, the first and the last by pitfalls
that had none before (their `# pit:` names them since): 21 of 24.

Eight more, after threads that their second lines name (blind 171e89d): of 6 faulty ones 4 named, all at the
line; missed `experts_reduced_if_there` (each rank reduces another parameter's gradient) and
`short_batch_skipped` (gloo ends rank 0 by SIGABRT, and the launcher the other one before it has told). Both
right ones left alone. Mended since: a gradient that some ranks lack is told of models averaged by hand, at
the optimizer's step; a rank 0 that is gone is told of by another, and what a rank has to tell waits for no
launcher: 6 of 6, the last as rank-gone, which is where it ends and not where it begins.

The second exam (`--second`, programs/second: 20 faulty programs, 10 right ones, two to four processes).
Blind (12275e7): 13 of 20 named, 10 of them at the marked line; missed `averaged_twice`, `groups_by_some`,
`one_checkpoint`, `swapped`, and three that gloo ends by SIGABRT for unequal sizes and that are told as
rank-gone of the calls that differ (`gathered_unequal`, `logged_from_main`, `set_of_names`). No right
one was accused, and in one of them (`fine_sharded`) a recorder stopped. After mending 15 of 20, and no
recorder stops: `one_checkpoint` and `groups_by_some` are named, the latter by hand and in two ways, as it
is a race who comes through; on a machine with a load of 24 this script's 30 s did not do for it. Beside
these, `fine_columns` and `fine_stages` alone were run again. Still missed: two sums of one shape in
another order, since two lines of a program may be meant to meet; gradients that DDP has averaged and that
are averaged again by hand, which no pitfall is about.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

PROGRAMS = Path(__file__).with_name("programs")
NO_CASES = {"__pycache__", "second"}
LONGEST = 30.0


@dataclass(frozen=True)
class Case:
    name: str
    folder: Path
    script: str
    pits: frozenset[str]
    here: frozenset[tuple[str, int]]
    options: dict[str, str]


def cases(folder: Path) -> list[Case]:
    return [_case(each) for each in sorted(folder.iterdir()) if each.name not in NO_CASES]


def _case(path: Path) -> Case:
    script = path / "train.py" if path.is_dir() else path
    files = sorted(path.glob("*.py")) if path.is_dir() else [path]
    head = dict(re.findall(r"^# (\w+): (.*)$", script.read_text(), re.M))
    here = frozenset(
        (file.name, number)
        for file in files
        for number, line in enumerate(file.read_text().splitlines(), 1)
        if "# here" in line
    )
    pits = frozenset(head["pit"].split(", ")) - {"none"}
    return Case(path.stem, path if path.is_dir() else path.parent, script.name, pits, here, head)


def run(case: Case, work: Path) -> tuple[list[dict[str, object]], str]:
    """The findings, and all that was printed."""
    for file in case.folder.glob("*.py"):
        shutil.copy(file, work)
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone"]
    command += ["--nproc-per-node", case.options.get("ranks", "2")]
    command += ["--max-restarts", case.options.get("restarts", "0")]
    command += ["-m", "keng", "run", "--stall", "4", "--json", "told.json", case.script]
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "NO_COLOR": "1"}
    with (work / "printed").open("w") as out:
        job = subprocess.Popen(
            command, cwd=work, env=environment, stdout=out, stderr=out, start_new_session=True
        )
        try:
            job.wait(LONGEST)
        except subprocess.TimeoutExpired:
            os.killpg(job.pid, signal.SIGTERM)  # as a user presses Ctrl-C; torchrun ends its ranks
            job.wait()
    told, printed = work / "told.json", (work / "printed").read_text()
    findings = json.loads(told.read_text())["findings"] if told.exists() else at_once(printed)
    return findings, printed


def at_once(printed: str) -> list[dict[str, object]]:
    """What was said before the launcher ended the job, which then writes nothing."""
    lines = re.findall(r"^keng: (\S+):(\d+): \w+ ([\w-]+): ", printed, re.M)
    return [{"path": path, "line": int(line), "pitfall": name} for path, line, name in lines]


def row(case: Case, findings: list[dict[str, object]]) -> tuple[str, str, list[str]]:
    right = [each for each in findings if each["pitfall"] in case.pits]
    at = [(Path(str(each["path"])).name, each["line"]) for each in right]
    named = "named" if right else "" if not case.pits else "MISSED"
    line = (
        "line" if any(place in case.here for place in at) else ", ".join(f"{p}:{n}" for p, n in at)
    )
    other = [
        f"{e['pitfall']} {Path(str(e['path'])).name}:{e['line']}"
        for e in findings
        if e not in right
    ]
    return named, line, other


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--second", action="store_true", help="the second exam")
    parser.add_argument("--show", action="store_true")
    parser.add_argument("names", nargs="*")
    asked = parser.parse_args()
    for case in cases(PROGRAMS / "second" if asked.second else PROGRAMS):
        if asked.names and case.name not in asked.names:
            continue
        with tempfile.TemporaryDirectory() as work:
            findings, printed = run(case, Path(work))
        print(f"{case.name:26}", *(str(each) for each in row(case, findings)), flush=True)
        if asked.show:
            print(printed)


if __name__ == "__main__":
    main()
