"""`keng logs`: what the curves of a finished training show."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

from keng.cli.commands import refused
from keng.cli.files import reader, writable, write
from keng.cli.options import Parser, flag
from keng.logs.reading import read_log
from keng.logs.series import Log, Unreadable, finite
from keng.logs.verdicts import EVALUATED, RATES, verdicts
from keng.model import Finding
from keng.report import findings, records
from keng.report.screen import Line, Piece, Screen
from keng.report.translation import findings_in
from keng.report.words import Words

EXAMPLES = """
  keng logs outputs/checkpoint-500          trainer_state.json of Transformers
  keng logs lightning_logs/version_3        metrics.csv of Lightning
  keng logs runs/Nov28                      event files of TensorBoard
  keng logs wandb/offline-run-20261128      a run of W&B that was logged offline
  keng logs train.log -o report.html        lines such as "step 100 loss 2.31 lr 3e-4"
"""


def parser() -> Parser:
    about = "Read the log of a finished training, and report what its curves show."
    parser = Parser("logs", about, EXAMPLES)
    parser.add_argument("path", help="a log, or the folder of a run")
    output = parser.add_output()
    output.add_argument("-o", "--output", metavar="FILE", help="write a page with curves to FILE")
    flag(output, "--json", "print JSON")
    parser.add_look()
    return parser


def main(args: list[str]) -> int:
    options = parser().parse(args)
    writable("logs", options.output)
    try:
        log = read_log(options.path)
    except Unreadable as unreadable:
        raise refused("logs", unreadable.args[0], options.path) from None
    found = verdicts(log)
    words = Words(options.lang)
    if options.output:
        write("logs", options.output, _page(log, found, words))
    if options.json:
        print(json.dumps({**records.of_findings(found, ()), "scalars": _summary(log)}, indent=2))
    else:
        _show(log, findings_in(options.lang, found), Screen(sys.stdout, options.color), words)
    return 1 if found else 0


def _show(log: Log, found: list[Finding], screen: Screen, words: Words) -> None:
    for finding in found:
        screen.show(findings.concise(finding, words))
    screen.show([[], *_table(log, words)] if found else _table(log, words))
    counts = findings.counts(found, words) if found else words("no_verdicts")
    screen.show([[], [Piece(words("log_end", counts=counts, file=log.path), "name")]])


def _table(log: Log, words: Words) -> list[Line]:
    """The first, lowest, highest and last value of each scalar."""
    head = [words(f"log_{name}") for name in ("scalar", "points", "first", "low", "high", "last")]
    rows = [
        [
            row["name"],
            str(row["points"]),
            *(f"{row[key]:.4g}" for key in ("first", "low", "high", "last")),
        ]
        for row in _summary(log)
    ]
    wide = [max(len(row[n]) for row in (head, *rows)) for n in range(len(head))]
    return [
        [Piece("  ".join(cell.ljust(wide[n]) for n, cell in enumerate(row)).rstrip(), style)]
        for row, style in ((head, "dim"), *((row, "") for row in rows))
    ]


def _summary(log: Log) -> list[records.Record]:
    found = []
    for name, points in log.scalars.items():
        values = [each.value for each in finite(points)]
        if values:
            ends = {"first": values[0], "low": min(values), "high": max(values), "last": values[-1]}
            found.append({"name": name, "points": len(points), **ends})
    return found


def _page(log: Log, found: list[Finding], words: Words) -> str:
    """The page of a run, with the curves of the log."""
    from keng.report import runs
    from keng.run.history.runs import Recorded

    changed = Path(log.path).stat().st_mtime
    begun = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(changed))
    run = Recorded(log.path, begun, ending="ended")
    for name, points in log.scalars.items():
        kind = _kind(name)
        for point in points if kind else ():
            run.add(kind, name, round(point.step), point.value)
    run.findings = tuple(findings_in(words.lang, found))
    return runs.page(run, reader(), words)


def _kind(name: str) -> str:
    """The chart of the page on which a scalar is drawn; nothing for others."""
    lower = name.lower()
    if "loss" in lower or "perplexity" in lower:
        return "loss"
    if any(part in lower for part in RATES) and not any(part in lower for part in EVALUATED):
        return "rate"
    return "norm" if "norm" in lower else ""
