"""`python -m evals.mutations.runs`: plants faults in clean programs, and runs `keng run` on them.

draw            writes evals/run/mutations/planted.jsonl; of the operators that --only names, if any
run             counts what is named, by operator
show ID ...     prints the difference that a mutant makes
"""

from __future__ import annotations

import argparse
import json
import os
from collections import Counter, defaultdict

from evals.mutations import commands, planted, silent
from evals.mutations.operators import OPERATORS
from evals.mutations.planted import HALVES, Judged, Planted
from evals.mutations.rows import planted as with_fault

VERDICTS = ("named", "other", "silent")
"""An accepted pitfall is found; another one is; nothing is."""
WORSE = ("yes", "no", "unknown")


def operators() -> list[str]:
    """Those of `silent`, and those of `flow` that are planted here too."""
    return [name for name in OPERATORS if name in silent.OWN or name in silent.SHARED]


def main() -> None:
    options = _parser().parse_args()
    {"draw": _draw, "run": _run, "show": _show}[options.command](options)


def _draw(options: argparse.Namespace) -> None:
    wanted = options.only or operators()
    halves = HALVES if options.half == "both" else (options.half,)
    known = planted.read() if planted.FILE.exists() else []
    kept = [m for m in known if m.operator not in wanted or m.half not in halves]
    for mutant in planted.draw(wanted, halves, options.most, options.workers):
        kept.append(mutant)
        print(mutant.half, mutant.operator, mutant.id, mutant.program, mutant.worse, flush=True)
        planted.write(kept)


def _chosen(options: argparse.Namespace) -> list[Planted]:
    return commands.chosen(planted.read(), options)


def _run(options: argparse.Namespace) -> None:
    counts = defaultdict[tuple[str, str], Counter[str]](Counter)
    worse = defaultdict[tuple[str, str], Counter[str]](Counter)
    for judged in planted.judge(_chosen(options), options.workers):
        counts[judged.mutant.operator, judged.mutant.half][judged.verdict] += 1
        worse[judged.mutant.worse, judged.mutant.half][judged.verdict] += 1
        if options.details:
            _print(judged)
    for table in (counts, worse):
        for (name, half), count in sorted(table.items()):
            print(commands.row(name, half, count, count.total(), VERDICTS))


def _print(judged: Judged) -> None:
    m = judged.mutant
    row = [judged.verdict, m.half, m.operator, m.id, f"{m.program}:{m.line}", m.worse, judged.found]
    print(json.dumps(row), flush=True)


def _show(options: argparse.Namespace) -> None:
    for mutant in _chosen(options):
        before = planted.path_of(mutant.program).read_bytes()
        names = (f"{mutant.operator} {mutant.id}", mutant.program)
        commands.print_difference(names, before, with_fault(mutant, before), options.context)


def _parser() -> argparse.ArgumentParser:
    parser = commands.parser("evals.mutations.runs", __doc__)
    parser.add_argument("--most", type=int, default=1, help="of each operator and half (draw)")
    parser.add_argument("--workers", type=int, default=os.cpu_count(), help="programs at a time")
    parser.add_argument("--context", type=int, default=3, help="lines around a change (show)")
    return parser


if __name__ == "__main__":
    main()
