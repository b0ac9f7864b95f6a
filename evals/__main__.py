"""`python -m evals SURFACE [SET ...]`: runs the exams of a surface and prints one table.

The exit code is 1 where something is found in a clean program, a watched program prints something else, or a
set falls below what its manifest accepts.
"""

from __future__ import annotations

import argparse
import json
import sys
from importlib import import_module

from evals import runner
from evals.answers import failures, score
from evals.sets import SURFACES, sets_of


def main() -> int:
    alone = (["agents"], ["precision"], ["harvest"], ["live"], ["search"], ["words"])
    if sys.argv[1:2] in alone:
        return int(import_module(f"evals.surfaces.{sys.argv[1]}").main(sys.argv[2:]))
    if "--leave-out" in sys.argv:
        return _left_out(_parser().parse_args())
    asked = _parser().parse_args()
    surface = import_module(f"evals.surfaces.{asked.surface}")
    options = {"all_levels": True} if asked.all_levels else {}
    levels = "_all_levels" if asked.all_levels else ""
    sets = sets_of(asked.surface, asked.sets)
    answers = runner.judged(surface, sets, asked.only or [], **options)
    key, accepted = f"first_result{levels}", f"accepted{levels}"
    if asked.json:
        rows = runner.as_json(sets, answers, key, accepted)
        print(json.dumps(rows, indent=1, default=str))
        return int(any(row["failures"] for row in rows))
    for chosen in sets if asked.details else ():
        for line in runner.details(answers[chosen.name]):
            print(f"{chosen.name}, {line}")
    scores = [score(answers[chosen.name]) for chosen in sets]
    print(*runner.table(surface.HEAD, sets, scores, key), sep="\n")
    failed = False
    for chosen, result in zip(sets, scores, strict=True):
        limits = {} if asked.only else chosen.manifest.get(accepted, {})
        for why in failures(result, limits):
            print(f"{chosen.name}: {why}", file=sys.stderr)
            failed = True
    return int(failed)


def _left_out(asked: argparse.Namespace) -> int:
    if asked.surface != "explain":
        raise SystemExit("evals: --leave-out is of explain")
    return int(import_module("evals.surfaces.unseen").main(asked.sets))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m evals",
        description="Run the exams of a surface and print one table.",
        epilog="`agents FOLDER`, `precision FOLDER ...`, `harvest`, `live` and `search` have options "
        "of their own: see their --help.",
    )
    parser.add_argument("surface", choices=SURFACES)
    parser.add_argument("sets", nargs="*", metavar="SET", help="all of the surface by default")
    parser.add_argument("--only", action="append", metavar="NAME", help="programs that begin so")
    parser.add_argument("--details", action="store_true", help="list what is missed or unmarked")
    parser.add_argument("--json", action="store_true", help="print all answers as JSON")
    parser.add_argument(
        "--leave-out", action="store_true", help="explain: without what a set has taught"
    )
    parser.add_argument(
        "--all-levels", action="store_true", help="check: count hints and uncertain findings too"
    )
    return parser


if __name__ == "__main__":
    sys.exit(main())
