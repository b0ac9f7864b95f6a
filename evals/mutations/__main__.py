"""`python -m evals.mutations`: draws planted faults, runs `keng check` on them, and shows them.

draw NAME --mirrors DIR         writes evals/check/mutations/NAME.jsonl with the operators of that module,
                                or those of them that --only names, and keeps the others
run NAME --mirrors DIR          counts what is named, by operator
show NAME --mirrors DIR ID ...  prints the difference that a mutation makes
"""

from __future__ import annotations

import argparse
import json
from collections import Counter, defaultdict
from importlib import import_module

from evals.mutations import commands, rows
from evals.mutations.judge import VERDICTS, Judged, judge
from evals.mutations.mirrors import Mirror
from evals.mutations.operators import OPERATORS

SEED = 34


def main() -> None:
    options = _parser().parse_args()
    import_module(f"evals.mutations.{options.name}")
    {"draw": _draw, "run": _run, "show": _show}[options.command](options)


def _draw(options: argparse.Namespace) -> None:
    wanted = options.only or list(OPERATORS)
    drawn = [m for m in rows.read(options.name) if m.operator not in wanted]
    for half in rows.HALVES:
        draw = rows.Draw(half, options.mirrors, SEED, options.most)
        for operator in map(OPERATORS.__getitem__, wanted):
            found = list(draw.of(operator))
            drawn += found
            print(half, operator.name, len(found), flush=True)
    rows.write(options.name, drawn)


def _chosen(options: argparse.Namespace) -> list[rows.Mutation]:
    return commands.chosen(rows.read(options.name), options)


def _run(options: argparse.Namespace) -> None:
    counts = defaultdict[tuple[str, str], Counter[str]](Counter)
    for judged in judge(_chosen(options), options.mirrors, options.all, options.whole):
        counts[judged.mutation.operator, judged.mutation.half][judged.verdict] += 1
        if options.details and judged.mutation.half == "tune":
            _print(judged)
    for (name, half), count in sorted(counts.items()):
        print(commands.row(name, half, count, count.total(), VERDICTS))


def _print(judged: Judged) -> None:
    m = judged.mutation
    at = f"{m.repository} {m.path}:{m.line}"
    print(json.dumps([judged.verdict, m.operator, m.id, at, judged.new]), flush=True)


def _show(options: argparse.Namespace) -> None:
    for mutation in _chosen(options):
        mirror = Mirror(options.mirrors, mutation.repository, mutation.commit)
        (before,) = mirror.texts([mirror.blobs()[mutation.path]]).values()
        names = (f"{mutation.operator} {mutation.id}", f"{mutation.repository}/{mutation.path}")
        after = rows.planted(mutation, before)
        commands.print_difference(names, before, after, options.context)


def _parser() -> argparse.ArgumentParser:
    parser = commands.parser(
        "evals.mutations", __doc__, name="a module of operators, such as slips"
    )
    commands.add_mirrors(parser)
    parser.add_argument("--most", type=int, default=8, help="of each operator and half (draw)")
    parser.add_argument("--all", action="store_true", help="ask all pitfalls, not those accepted")
    parser.add_argument("--whole", action="store_true", help="take the repository as the project")
    parser.add_argument("--context", type=int, default=6, help="lines around a change (show)")
    return parser


if __name__ == "__main__":
    main()
