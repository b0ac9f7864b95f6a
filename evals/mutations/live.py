"""`python -m evals.mutations.live`: plants errors in programs that run, and counts what `keng run` says.

draw           writes evals/explain/mutations/crashes.jsonl, or the operators of it that --only names
run [ID ...]   counts, by operator and half; --details prints the answers of `tune`
show ID ...    prints the difference that a mutation makes
"""

from __future__ import annotations

import argparse
import subprocess
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from evals import trial
from evals.mutations import commands, crashes, raising, rows
from evals.mutations.operators import OPERATORS
from evals.mutations.raising import FOLDER, Judged, Program

NAME = "crashes"
SEED = 36
WORKERS = 2
LONGEST = {"draw": 8.0, "run": 25.0}
"""Seconds that a program may take; what raises late is not drawn."""
COUNTS = ("first", "named", "undone", "silent", "beside")


def main() -> None:
    options = _parser().parse_intermixed_args()
    trial.LONGEST = LONGEST.get(options.command, 0.0)
    {"draw": _draw, "run": _run, "show": _show}[options.command](options)


def _draw(options: argparse.Namespace) -> None:
    own = [name for name, each in OPERATORS.items() if each.places.__module__ == crashes.__name__]
    wanted = options.only or own
    drawn = [m for m in rows.read(NAME, FOLDER) if m.operator not in wanted]
    jobs = [(name, half) for name in wanted for half in rows.HALVES]

    def found(job: tuple[str, str]) -> list[rows.Mutation]:
        there = OPERATORS[job[0]], job[1], options.mirrors, SEED, options.most
        return list(raising.draw(*there))

    with ThreadPoolExecutor(WORKERS) as workers:
        for job, new in zip(jobs, workers.map(found, jobs), strict=True):
            print(*job, len(new), flush=True)
            drawn += new
            rows.write(NAME, drawn, FOLDER)


def _run(options: argparse.Namespace) -> None:
    began = time.monotonic()
    asked = _chosen(options)
    with ThreadPoolExecutor(WORKERS) as workers:
        judged = list(workers.map(partial(_judged, options.mirrors), asked))
    there = [each for each in judged if isinstance(each, Judged)]
    for each in judged:
        if isinstance(each, str):
            print(each)
        elif options.details and each.mutation.half == "tune":
            print(_detail(each))
    print(*_table(there), sep="\n")
    print(f"seconds = {time.monotonic() - began:.0f}")


def _chosen(options: argparse.Namespace) -> list[rows.Mutation]:
    return commands.chosen(rows.read(NAME, FOLDER), options)


def _judged(mirrors: Path, mutation: rows.Mutation) -> Judged | str:
    """What keng says, or why a mutant cannot be made here."""
    try:
        return raising.judge(mutation, mirrors)
    except (rows.Drifted, OSError, KeyError, subprocess.CalledProcessError) as why:
        return f"left out: {mutation.id}: {why}"


def _detail(each: Judged) -> str:
    m = each.mutation
    marks = ", ".join(word for word in COUNTS[:3] if getattr(each, word)) or "missed"
    beside = f", beside {each.beside}" if each.beside else ""
    return f"=== {m.id} {m.operator} {m.path}:{m.line} ({marks}{beside})\n{each.shown}\n"


def _table(judged: Iterable[Judged]) -> Iterator[str]:
    counts = defaultdict[tuple[str, str], Counter[str]](Counter)
    for each in judged:
        for key in ((each.mutation.operator, each.mutation.half), ("all", each.mutation.half)):
            counts[key].update(of=1, silent=int(not each.pitfall), beside=int(bool(each.beside)))
            counts[key].update({name: int(getattr(each, name)) for name in COUNTS[:3]})
    for (name, half), count in sorted(counts.items()):
        yield commands.row(name, half, count, count["of"], COUNTS)


def _show(options: argparse.Namespace) -> None:
    for mutation in _chosen(options):
        program = Program(mutation.repository, mutation.commit, mutation.path)
        before = program.data(options.mirrors)
        names = (f"{mutation.operator} {mutation.id}", mutation.path)
        commands.print_difference(names, before, rows.planted(mutation, before), context=2)


def _parser() -> argparse.ArgumentParser:
    parser = commands.parser("evals.mutations.live", __doc__)
    commands.add_mirrors(parser)
    parser.add_argument("--most", type=int, default=3, help="of each operator and half (draw)")
    return parser


if __name__ == "__main__":
    main()
