"""`python -m evals live [SET]`: `keng run` on programs whose exception is raised inside a library.

Each program of `explain/live/programs`, or of another set such as `live2`, runs as a user would run it, in a
process of its own; `--keep` writes `answers.json`, what keng printed and what its JSON holds. Counted by the
program: the line at fault is in the answer, and the text of the argument is. A judge reads the printed
answers and marks in `marks.tsv` whether a stranger would know the cause, and whether the argument at fault is
named.
"""

from __future__ import annotations

import argparse
import csv
import json
import re
import shutil
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

from evals import trial
from evals.sets import HOME, read_toml

FOLDER = HOME / "explain"
WORKERS = 2
MARKS = ("cause", "argument")
Row = dict[str, Any]


def main(args: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m evals live", description=__doc__)
    parser.add_argument("set", nargs="?", default="live", help="live or live2")
    parser.add_argument("--only", action="append", metavar="NAME", help="programs that begin so")
    parser.add_argument("--show", action="store_true", help="print every answer with its cause")
    parser.add_argument("--keep", action="store_true", help="write answers.json")
    options = parser.parse_args(args)
    wanted = tuple(options.only or [""])
    folder = FOLDER / options.set
    cases = [each for each in _cases(folder) if Path(each["file"]).stem.startswith(wanted)]
    with ThreadPoolExecutor(WORKERS) as workers:
        rows = list(workers.map(partial(answer, folder), cases))
    if options.keep:
        (folder / "answers.json").write_text(json.dumps(rows, indent=1) + "\n")
    for case, row in zip(cases, rows, strict=True):
        print(*(_shown(case, row) if options.show else ()), sep="\n", end="")
    print(*_sums(rows, _marks(folder)), sep="\n")
    return 0


def _cases(folder: Path) -> list[Row]:
    cases: list[Row] = read_toml(folder / "cases.toml")["case"]
    return cases


def answer(folder: Path, case: Row) -> Row:
    """What keng makes of one program, by the fields that a judge needs."""
    name = Path(case["file"]).name
    with tempfile.TemporaryDirectory() as home:
        program = Path(shutil.copy(folder / case["file"], home))
        ran = trial.run(program, Path(home, "results"), watched=True)
        lines = sorted(set(lines_named(ran.error, program)))
        shown = printed(ran).replace(f"{home}/", "")
        return {
            "name": program.stem,
            "raised": ran.error.get("kind", ""),
            "as_recorded": ran.error.get("kind", "").endswith(case["exception"]),
            "first": _first(ran.error),
            "place": ran.error.get("place") and ran.error["place"]["line"],
            "lines": lines,
            "line_named": bool({case["line"], *case.get("also", ())} & set(lines)),
            "text_shown": _close(case["argument"]) in _close(shown),
            "reason": ran.error.get("reason"),
            "arguments": ran.error.get("arguments", []),
            "printed": shown.replace(str(program), name),
        }


def _first(error: Row) -> Row:
    """The likeliest diagnosis."""
    for each in error.get("diagnoses", ()):
        return {key: each[key] for key in ("pitfall", "confidence", "says", "advice", "line")}
    return {}


def lines_named(tree: Any, program: Path) -> Iterator[int]:
    """The lines of the program that an answer names, those of its edits among them."""
    if isinstance(tree, list):
        for each in tree:
            yield from lines_named(each, program)
    elif isinstance(tree, dict):
        if Path(str(tree.get("path") or "")).name == program.name and tree.get("line"):
            yield tree["line"]
        for edit in tree.get("edits") or ():
            yield program.read_text()[: edit["start"]].count("\n") + 1
        for each in tree.values():
            yield from lines_named(each, program)


def printed(ran: trial.Trial) -> str:
    """What keng printed below the traceback."""
    raised = rf"^(?:\w+\.)*{re.escape(str(ran.error.get('kind', '')).rpartition('.')[2])}\b.*$"
    last = [each.end() for each in re.finditer(raised, ran.errors, re.MULTILINE)]
    return ran.errors[last[-1] if last else 0 :].strip()


def _close(text: str) -> str:
    """Without the spaces and quotes in which a printed and a written expression may differ."""
    return "".join(text.split()).replace('"', "'")


def _marks(folder: Path) -> dict[str, Row]:
    path = folder / "marks.tsv"
    if not path.exists():
        return {}
    with path.open(newline="") as file:
        return {row["name"]: row for row in csv.DictReader(file, delimiter="\t")}


def _sums(rows: list[Row], marks: dict[str, Row]) -> Iterator[str]:
    for title, key in (
        ("raise as recorded", "as_recorded"),
        ("name the line", "line_named"),
        ("show the argument's text", "text_shown"),
    ):
        yield f"{sum(row[key] for row in rows):3} of {len(rows)} {title}"
    known = [marks[row["name"]] for row in rows if row["name"] in marks]
    for mark in MARKS if known else ():
        yield f"{sum(each[mark] == 'yes' for each in known):3} of {len(known)} marked: {mark} named"


def _shown(case: Row, row: Row) -> Iterator[str]:
    yield f"=== {row['name']} (line_named {row['line_named']}, text_shown {row['text_shown']})"
    yield f"cause: {case['cause']}"
    yield f"argument: {case['argument']} at {case['line']}, also {case.get('also', [])}"
    yield f"{row['printed']}\n\n"
