"""`keng runs`: the runs that `keng run --report` has kept, and how two of them differ."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from keng._util.texts import sentence
from keng.cli.commands import refused
from keng.cli.options import Parser, flag
from keng.cli.run_folder import HOME
from keng.report.screen import Line, Piece, Screen
from keng.report.words import Words
from keng.run.history.journals import Stored, stored, stored_in

EXAMPLES = """
  keng runs                                 the runs in .keng/runs, oldest first
  keng runs compare 2026-11-28_08-30-00 2026-11-28_09-00-00
"""
SHORT = 36
CURVES = ("loss", "evaluated", "rate", "norm")


def parser() -> Parser:
    parser = Parser("runs", "List the runs kept by `keng run --report`, or compare two.", EXAMPLES)
    what = "`compare A B`: names of two runs, or their folders"
    parser.add_argument("words", nargs="*", metavar="compare A B", help=what)
    output = parser.add_output()
    flag(output, "--json", "print JSON")
    parser.add_look()
    return parser


def main(args: list[str]) -> int:
    options = parser().parse(args)
    words, screen = Words(options.lang), Screen(sys.stdout, options.color)
    if not options.words:
        return _list(stored_in(HOME / "runs"), options.json, screen, words)
    if options.words[0] != "compare" or len(options.words) != 3:
        raise refused("runs", sentence("runs_compare_two"))
    one, two = (_named(name) for name in options.words[1:])
    rows = list(_differences(one, two))
    if options.json:
        print(
            json.dumps(
                [dict(zip(("what", "first", "second"), row, strict=True)) for row in rows], indent=2
            )
        )
    else:
        screen.show(_compared(one, two, _labelled(rows, words)))
    return 0


def _list(runs: list[Stored], as_json: bool, screen: Screen, words: Words) -> int:
    if as_json:
        print(json.dumps([_record(run) for run in runs], indent=2))
    elif not runs:
        screen.show([[Piece(words("runs_none"))]])
    else:
        head = tuple(
            words(f"runs_{each}")
            for each in ("name", "program", "steps", "loss", "found", "ending")
        )
        screen.show(_table([head, *(_row(run, words) for run in runs)]))
    return 0


def _record(run: Stored) -> dict[str, Any]:
    """JSON has no NaN and no infinity."""
    last = [
        {"name": name, "label": label, "last": value if math.isfinite(value) else str(value)}
        for (name, label), value in run.last.items()
    ]
    return {**asdict(run), "last": last}


def _row(run: Stored, words: Words) -> tuple[str, ...]:
    ending = run.ending or words("runs_open")
    return (
        run.name,
        run.program,
        str(run.steps),
        _number(run.value("loss")),
        str(len(run.found)),
        ending,
    )


def _named(name: str) -> Stored:
    """Raises Usage for what is no kept run."""
    for place in (Path(name), HOME / "runs" / name):
        try:
            run = stored(place)
        except OSError as error:
            raise refused("runs", str(error), name) from None
        if run is not None:
            return run
    raise refused("runs", sentence("runs_no_such"), name)


def _differences(one: Stored, two: Stored) -> Iterator[tuple[str, str, str]]:
    """Properties that differ, then how far each got, then what was found in one of them alone."""
    yield from _changed("program", one.program, two.program)
    for name in dict.fromkeys([*one.about, *two.about]):
        yield from _changed(
            name, ", ".join(one.about.get(name, ())), ", ".join(two.about.get(name, ()))
        )
    yield "steps", str(one.steps), str(two.steps)
    yield "seconds", f"{one.seconds:.3g}", f"{two.seconds:.3g}"
    for name in CURVES:
        first, second = one.value(name), two.value(name)
        if first is not None or second is not None:
            yield f"curve_{name}", _number(first), _number(second)
    yield from _changed("findings", _only(one, two), _only(two, one))


def _changed(name: str, first: str, second: str) -> Iterator[tuple[str, str, str]]:
    if first != second:
        yield name, first or "-", second or "-"


def _only(one: Stored, two: Stored) -> str:
    return ", ".join(dict.fromkeys(each for each in one.found if each not in two.found))


def _labelled(rows: list[tuple[str, str, str]], words: Words) -> list[tuple[str, ...]]:
    named = {
        "steps": "runs_steps",
        "findings": "runs_found",
        "program": "runs_program",
        "seconds": "runs_seconds",
    }
    return [
        (words(named.get(what, what if what.startswith("curve_") else f"about_{what}")), *values)
        for what, *values in rows
    ]


def _compared(one: Stored, two: Stored, rows: list[tuple[str, ...]]) -> Iterator[Line]:
    """What is long below the table, one under the other."""
    short = [row for row in rows if max(map(len, row)) <= SHORT]
    yield from _table([("", one.name, two.name), *short])
    for what, first, second in (row for row in rows if row not in short):
        yield from ([], [Piece(what, "name")], [Piece(f"  {first}")], [Piece(f"  {second}")])


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.4g}"


def _table(rows: list[tuple[str, ...]]) -> Iterator[Line]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for at, row in enumerate(rows):
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=True)]
        yield [Piece("  ".join(cells).rstrip(), "" if at else "name")]
