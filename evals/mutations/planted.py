"""Faults planted in the clean programs of the exams of `keng run`: drawn, written down, run again.

A mutant is kept where its program still ends by itself with code 0 and prints something else. What is
compared ends in a digest of the weights in most programs.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

from evals import trial
from evals.mutations.operators import OPERATORS, Operator, applied
from evals.mutations.rows import HALVES, digest, drawn, places, planted
from evals.sets import HOME, sets_of

FILE = HOME / "run/mutations/planted.jsonl"
SEED = 32
ATTEMPTS = 3
"""Mutants that are run for each one that is kept."""
LEFT_OUT = re.compile(r"_near_miss$|^trl_|^trainer_")
"""Near misses are odd on purpose; programs of frameworks have no loop of their own, or take too long."""
LEFT_OUT_SETS = ("silent-1", "reports-4", "frameworks-1")
"""silent-1 has the right twins of the very faults that are planted; programs of the others take long."""
FIRST = ("unseen-1", "unseen-2", "reports-2")
"""Sets whose programs are tried first: they end soonest."""
BETTER = re.compile(r"acc|auc|f1|iou|dice|reward|return|score|recall|precision|length|r2|right")
WORSE = re.compile(r"loss|err|rmse|mse|mae|nll|perplex|ppl|distance|bits")
NUMBER = re.compile(r"-?\d+\.\d+(?:e-?\d+)?|\bnan\b|\binf\b")


@dataclass(frozen=True)
class Planted:
    """A mutant of a program, SET/NAME. `seed` chooses among the changes of an operator on one line, `digest`
    is of the text. `worse` says whether the program's own last metric is: yes, no, unknown."""

    id: str
    half: str
    operator: str
    program: str
    line: int
    seed: int
    digest: str
    worse: str


class Judged(NamedTuple):
    """`found` are findings: pitfall, line, sentence."""

    mutant: Planted
    verdict: str
    found: list[tuple[str, int, str]]


def programs() -> dict[str, list[Path]]:
    """The clean programs of one process that are one file, by half: every second one, shuffled."""
    every = [
        program.path
        for each in sets_of("run")
        if each.name not in LEFT_OUT_SETS
        for program in each.programs()
        if not program.faulty
        and program.path.suffix == ".py"
        and not program.settings
        and not LEFT_OUT.search(program.name)
    ]
    random.Random(SEED).shuffle(every)
    return {half: every[n::2] for n, half in enumerate(HALVES)}


def name_of(program: Path) -> str:
    return f"{program.parent.parent.name}/{program.stem}"


def path_of(name: str) -> Path:
    folder, _, program = name.partition("/")
    return HOME / "run" / folder / "clean" / f"{program}.py"


def read() -> list[Planted]:
    return [Planted(**json.loads(line)) for line in FILE.read_text("utf8").splitlines()]


def write(rows: Iterable[Planted]) -> None:
    FILE.write_text("".join(json.dumps(asdict(row)) + "\n" for row in rows), "utf8")


def draw(
    operators: Iterable[str], wanted: Iterable[str], most: int, workers: int
) -> Iterator[Planted]:
    """`most` mutants of each operator and of each of the halves `wanted`, one of each program."""
    halves = programs()
    jobs = [(OPERATORS[name], half) for half in wanted for name in operators]
    with ThreadPoolExecutor(workers) as pool:
        for rows in pool.map(lambda job: list(_drawn(*job, halves[job[1]], most)), jobs):
            yield from rows


def _drawn(operator: Operator, half: str, every: list[Path], most: int) -> Iterator[Planted]:
    chance = random.Random(f"{SEED} {operator.name} {half}")
    order = chance.sample(every, len(every))
    order.sort(key=lambda program: program.parent.parent.name not in FIRST)
    kept = tried = 0
    for program in order:
        data = program.read_bytes()
        there = places(operator, data)
        if not there or kept == most or tried == most * ATTEMPTS:
            continue
        chance = random.Random(f"{SEED} {operator.name} {name_of(program)}")
        line, seed, change = drawn(there, chance)
        text = applied(data, change)
        tried += 1
        before, after = _plain(program), run(program, text, watched=False)
        if before.code == after.code == 0 and before.output != after.output:
            kept += 1
            id = digest(f"{operator.name} {name_of(program)} {line} {seed}".encode())[:8]
            worse = is_worse(before.output, after.output)
            yield Planted(
                id, half, operator.name, name_of(program), line, seed, digest(text), worse
            )


@cache
def _plain(program: Path) -> trial.Trial:
    return run(program, program.read_bytes(), watched=False)


def run(program: Path, text: bytes, watched: bool) -> trial.Trial:
    return trial.run_text(program.name, text, watched=watched)


def judge(mutants: list[Planted], workers: int) -> Iterator[Judged]:
    """Runs each mutant under `keng run`, in the order given."""
    with ThreadPoolExecutor(workers) as pool:
        yield from pool.map(_judged, mutants)


def _judged(mutant: Planted) -> Judged:
    program = path_of(mutant.program)
    text = planted(mutant, program.read_bytes())
    found = run(program, text, watched=True).findings
    accepts = OPERATORS[mutant.operator].accepts
    names = {finding["pitfall"] for finding in found}
    verdict = "named" if names & accepts else "other" if names else "silent"
    rows = [(f["pitfall"], f["line"] or 0, f["says"]) for f in found]
    return Judged(mutant, verdict, rows)


def is_worse(before: str, after: str) -> str:
    """Compares the last numbers of two outputs that have the same label with a known direction."""
    metrics, others = dict(_metrics(before)), dict(_metrics(after))
    for label in reversed(metrics):
        if label in others and metrics[label] != others[label]:
            grew = others[label] > metrics[label]
            good = BETTER.search(label) is not None
            nan = others[label] != others[label]
            return "yes" if nan or grew != good else "no"
    return "unknown"


def _metrics(output: str) -> Iterator[tuple[str, float]]:
    """The words before each number of an output, where they say what is better, and the number."""
    for line in output.splitlines():
        end = 0
        for found in NUMBER.finditer(line):
            label = " ".join(re.findall(r"[a-z]\w*", line[end : found.start()].lower()))
            end = found.end()
            if BETTER.search(label) or WORSE.search(label):
                yield label, float(found[0])
