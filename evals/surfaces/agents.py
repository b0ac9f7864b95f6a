"""How many debugging tasks a policy without a model solves that only follows keng's JSON.

    python -m evals agents FOLDER

FOLDER is a checkout of github.com/RAK2315/ml-debug-env, of which nothing is kept here: its generator
makes the tasks and
its grader judges the fixed programs. Each of the 14 variants is taken with the first seed that draws
it. The policy:
check the program and apply the fixes; run it for some steps and apply the fixes of its findings and of
its error; check it once more for what is only suspected; again, until nothing changes.
"""

from __future__ import annotations

import argparse
import importlib
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

ROUNDS = 6
STEPS = 40
LONGEST = 120
VARIANTS = 14
SEEDS = 400
NUMBER = re.compile(r"\d+(?:\.\d+)?(?:e-?\d+)?")


class Outcome(NamedTuple):
    """Whether a task is solved and why not; the pitfalls that were named, and those whose fixes were
    applied."""

    name: str
    solved: bool
    why: str
    named: list[str]
    applied: list[str]


def tasks(generator: Any) -> Iterator[tuple[str, Any]]:
    """Each variant once: programs that differ in more than numbers."""
    for kind in generator.ALL_TASKS:
        seen: set[str] = set()
        for seed in range(SEEDS // len(generator.ALL_TASKS)):
            scenario = generator.get_scenario(kind, seed)
            shape = NUMBER.sub("0", scenario.buggy_code)
            if shape not in seen:
                seen.add(shape)
                yield f"{kind}-{len(seen)}", scenario


def keng(*args: str) -> None:
    """Without an answer where it takes too long."""
    with suppress(subprocess.TimeoutExpired):
        subprocess.run(
            [sys.executable, "-m", "keng", *args], capture_output=True, timeout=LONGEST, check=False
        )


def answers(program: Path) -> Iterator[list[dict[str, Any]]]:
    """What `keng check`, `keng run` and `keng check --suspicious` report, each time as the program is now."""
    found = program.with_name("found.json")
    found.write_text('{"findings": [], "error": null}')
    keng("check", "--json", "--output", str(found), str(program))
    yield json.loads(found.read_text())["findings"]
    keng("run", "--steps", str(STEPS), "--json", str(found), str(program))
    told = json.loads(found.read_text())
    yield [*told["findings"], *((told.get("error") or {}).get("diagnoses", [])[:1])]
    keng("check", "--suspicious", "--json", "--output", str(found), str(program))
    yield json.loads(found.read_text())["findings"]


def solve(program: Path) -> tuple[list[str], list[str]]:
    """The pitfalls that were named, and those whose fixes were applied."""
    named: list[str] = []
    applied: list[str] = []
    for _ in range(ROUNDS):
        before = program.read_bytes()
        for rows in answers(program):
            named += [row["pitfall"] for row in rows]
            for row in rows:
                if _apply(program, row["fix"]):
                    applied.append(row["pitfall"])
                    break  # places have moved
        if program.read_bytes() == before:
            break
    return [*dict.fromkeys(named)], applied


def _apply(program: Path, fix: dict[str, Any] | None) -> bool:
    if not fix or not fix["edits"] or fix.get("path") not in (None, str(program)):
        return False
    data = program.read_bytes()
    for edit in sorted(fix["edits"], key=lambda each: -each["start"]):
        data = data[: edit["start"]] + edit["text"].encode() + data[edit["end"] :]
    changed = data != program.read_bytes()
    program.write_bytes(data)
    return changed


def judged(name: str, scenario: Any, grader: Any) -> Outcome:
    with tempfile.TemporaryDirectory(prefix="keng-agents-") as folder:
        program = Path(folder, "train.py")
        program.write_text(scenario.buggy_code, "utf-8")
        named, applied = solve(program)
        fixed = program.read_text("utf-8")
    output, ran = grader._run_code(fixed, timeout=LONGEST)
    if not ran:
        return Outcome(name, False, f"does not run: {output.strip()[-120:]}", named, applied)
    if not grader._check_training_completed(output, scenario.task_id):
        return Outcome(name, False, "does not complete its training", named, applied)
    fits, why = grader._verify_fix(fixed, scenario, output)
    if fits:
        fits, why = grader._check_success_signal(scenario.task_id, fixed, output)
    return Outcome(name, fits, why, named, applied)


def main(args: list[str]) -> int:
    parser = argparse.ArgumentParser("python -m evals agents", description=__doc__)
    parser.add_argument("folder", type=Path, help="a checkout of ml-debug-env")
    parser.add_argument("--only", default="", help="tasks whose name begins so")
    options = parser.parse_args(args)
    sys.path.insert(0, str(options.folder / "server"))
    generator, grader = map(importlib.import_module, ("bug_generator", "grader"))
    wanted = [each for each in tasks(generator) if each[0].startswith(options.only)]
    solved = 0
    for name, scenario in wanted:
        outcome = judged(name, scenario, grader)
        solved += outcome.solved
        said = (
            f"named {', '.join(outcome.named) or '-'}; applied {', '.join(outcome.applied) or '-'}"
        )
        print(
            f"{'solved' if outcome.solved else 'open  '} {name}: {said}  {outcome.why}", flush=True
        )
    print(f"{solved} of {len(wanted)} solved")
    return 0
